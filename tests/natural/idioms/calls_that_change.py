"""Calls of functions and methods that change a container or an object of the caller."""

GIVEN = """
import typing

def gained(topic, document, seen):
    total = 0.0
    for a, grade in enumerate(topic.pool[document]):
        if grade > 0:
            total += grade * 0.5 ** seen[a]
            seen[a] += 1
    return total

def itself(topic, document, seen):
    for a, grade in enumerate(topic.pool[document]):
        seen[a] += grade
    return seen

def pushed(x, rows, others):
    rows.append(x)

def with_a_default(topic, document, seen=[]):
    seen.append(topic.pool[document][0])
    return len(seen)

class User:
    def __init__(self, n):
        self.left, self.interest, self.gains = 1.0, [1.0] * n, []
    def reads(self, grades):
        gain = 0.0
        for a, grade in enumerate(grades):
            if grade > 0:
                gain += grade * self.interest[a]
                self.interest[a] *= 0.5
        gain *= self.left
        self.left *= 0.8
        return gain
    def step(self, grade):
        self.left *= 0.8
        return self.left * grade
    def rest(self):
        return self.left
    def stops(self):
        self.left *= 0.5
        return self.left == 0
    def keep(self, x):
        self.gains.append(x)
        return [x]
    def kept(self, x):
        self.gains.append(x)
        return self.gains
    def copy_of(self, gains):
        for x in gains:
            self.gains.append(x)
        return len(self.gains)

@dataclass
class Aspect:
    novelty: float = 0.5
    seen: int = 0
    gain: float = 0.0
    def reads(self, grade, discount):
        if grade > 0:
            self.gain += discount * grade * self.novelty**self.seen
            self.seen += 1
    def step(self, grade):
        self.gain += grade
        return self.gain

@dataclass
class Counts:
    rows: list
    seen: dict = field(default_factory=lambda: defaultdict(int))
    total: float = 0.0
    def reads(self, grades, rank):
        for a, grade in enumerate(grades):
            if grade > 0:
                self.total += 0.5 ** self.seen[a] / rank
                self.seen[a] += 1
    def keeps(self, grade):
        self.rows.append(grade)

COMMON = defaultdict(int)

@dataclass
class Common:
    seen: dict = field(default_factory=lambda: COMMON)
    total: float = 0.0
    def reads(self, grades, rank):
        for a, grade in enumerate(grades):
            if grade > 0:
                self.total += 0.5 ** self.seen[a] / rank
                self.seen[a] += 1

class Setting:
    def __init__(self, n):
        self.values = [0.0] * n
    def put(self, x):
        self.values = [x] * len(self.values)

class Viewing:
    def __init__(self, n):
        self.values = [0.0] * n
        self.others = self.values
    def put(self, a, x):
        self.values[a] += x

class Two:
    def __init__(self):
        self.one, self.both = [], [[], []]
    def tie(self):
        self.one = self.both[0]
        return 1.0
    def add(self, x):
        self.one.append(x)
        return x

class Gains:
    def __init__(self):
        self.gains = []
    def copy_of(self, gains):
        for x in gains:
            self.gains.append(x)

DELETED = [0.0]

class Deleted:
    def __init__(self, x):
        self.x = x
    def __del__(self):
        DELETED[0] += self.x

class Same:
    me = typing.assert_type
    def __init__(self):
        self.x = 0.0
    def put(self, x):
        self.x = x

HELD = []

class Leaving:
    def __init__(self):
        self.total = 0.0
    def step(self, x):
        HELD.append(self)
        self.total += x
        return self.total
"""

FOLLOWED = """
# dictionary_that_a_factory_makes: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0
counts = Counts([])
for i, d in enumerate(ranking, start=1):
    counts.reads(topic.pool[d], i)
return counts.total
"""

REFUSED = """
# gains_of_a_function_that_counts: changes seen, which may belong to the caller
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen) / i
return total
# sum_of_gains_of_an_object: changes the attribute interest in a method whose result is used
d, user = 2.0, User(len(topic.weights))
return sum(user.reads(topic.pool[d]) for d in ranking) * d / 2
# gains_of_an_object: changes the attribute interest in a method whose result is used
user, total = User(len(topic.weights)), 0.0
for d in ranking:
    total += user.reads(topic.pool[d])
return total
# object_for_each_aspect: changes aspect, which may refer to another object
aspects, discount = [Aspect(0.5) for _ in topic.weights], 1.0
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, discount)
    discount *= 0.8
return sum(aspect.gain for aspect in aspects)
# object_for_each_aspect_by_index: assigns to a target that is neither
aspects = {a: Aspect() for a in range(len(topic.weights))}
for i, d in enumerate(ranking, start=1):
    for a, grade in enumerate(topic.pool[d]):
        aspects[a].reads(grade, 1 / i)
return sum(w * aspects[a].gain for a, w in enumerate(topic.weights))
# methods_of_objects_that_are_kept: changes user, which another variable may refer to
users, total = [User(1) for _ in topic.weights], 0.0
rests = [user.rest for user in users]
for d in ranking:
    for user, rest, grade in zip(users, rests, topic.pool[d]):
        user.step(grade)
        total += rest()
return total
# value_that_a_condition_sets_before_the_change: sets the attribute left outside __init__
user, total, y = User(1), 0.0, 0.0
for d in ranking:
    if (y := topic.pool[d][0]) < user.step(y):
        total += 1
return total
# change_in_a_branch: changes seen, which may belong to the caller
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen) / i if topic.pool[d][0] > 0 else 0.0
return total
# gains_that_are_read_later: sets the attribute left outside __init__
user = User(1)
gains = (user.step(topic.pool[d][0]) for d in ranking)
user.step(1.0)
return sum(gains)
# object_of_an_inner_function: changes user after defining a function or generator reading it: use a new name
user, total = User(1), 0.0
def left():
    return user.left
for d in ranking:
    user.step(topic.pool[d][0])
return left()
# method_of_an_object_in_map: sets the attribute left outside __init__
user, total = User(1), 0.0
gains = map(user.step, [topic.pool[d][0] for d in ranking])
total += user.step(1.0)
return sum(gains) + total
# container_that_a_function_returns: changes seen, which may belong to the caller
seen = defaultdict(int)
for d in ranking:
    other = itself(topic, d, seen)
return sum(other.values())
# list_of_an_object_for_its_own_method: calls __init__ of user, or a method of user with user itself as an argument
user = Gains()
for d in ranking:
    user.copy_of(user.gains)
return sum(user.gains)
# default_that_a_function_changes: changes seen, which belongs to the caller
return sum(with_a_default(topic, d) / i for i, d in enumerate(ranking, start=1))
# list_that_each_rank_sets_anew: updates setting['values'] from rank to rank, which is not supported for an array
setting = Setting(len(ranking))
for d in ranking:
    setting.put(topic.pool[d][0])
return sum(setting.values)
# list_with_two_names_in_an_object: keeps a reference to values, which a method changes in place: use a copy
viewing = Viewing(len(topic.weights))
for d in ranking:
    for a, grade in enumerate(topic.pool[d]):
        viewing.put(a, grade)
return sum(viewing.others)
# object_that_its_method_stores: changes an object that one of its methods may have stored a reference to
leaving = Leaving()
for d in ranking:
    leaving.step(topic.pool[d][0])
HELD[-1].total = 0.0
return leaving.total
# one_object_for_all_aspects: changes aspect, which may refer to another object
one = Aspect()
aspects = [one for _ in topic.weights]
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
# one_object_many_times: repeats a list of lists, which repeats references
aspects = [Aspect()] * len(topic.weights)
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
# first_object_of_the_aspects: reads an entry of an iterable
aspects = [Aspect() for _ in topic.weights]
first = aspects[0]
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return first.gain
# object_of_the_first_aspect: assigns to a target that is neither
aspects = [Aspect() for _ in topic.weights]
for d in ranking:
    for grade in topic.pool[d]:
        aspects[0].reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
# dictionary_given_in_place_of_the_factory: which a method sets to something other than a new
seen = defaultdict(int)
counts = Counts([], seen)
for i, d in enumerate(ranking, start=1):
    counts.reads(topic.pool[d], i)
return counts.total
# list_given_to_a_dataclass: which a method sets to something other than a new
rows = []
counts = Counts(rows)
for d in ranking:
    counts.keeps(topic.pool[d][0])
return sum(rows)
# dictionary_that_all_objects_share: whose type defaultdict may have its own operators
counts = Common()
for i, d in enumerate(ranking, start=1):
    counts.reads(topic.pool[d], i)
return counts.total
# list_that_a_method_returns: changes the attribute gains in a method whose result is used
user = User(1)
for d in ranking:
    gains = user.kept(topic.pool[d][0])
return sum(gains)
# list_tied_to_an_entry: which a method sets to something other than a new
two = Two()
two.tie()
for d in ranking:
    two.add(topic.pool[d][0])
return len(two.both[0])
# list_after_arguments_with_a_star: calls a function only for its side effect
rows, others = [], []
for d in ranking:
    pushed(*(topic.pool[d][0], others), rows)
return sum(rows)
# object_with_a_second_name: changes user, which another variable may refer to
user = User(1)
other = [user]
for d in ranking:
    user.step(topic.pool[d][0])
return other[0].left
# object_that_counts_when_it_is_deleted: reads __init__ of a class with a special feature
total = 0.0
for d in ranking:
    deleted = Deleted(topic.pool[d][0])
    total += topic.pool[d][0]
return total + DELETED[0]
# object_that_a_method_of_a_library_returns: changes an object of Same, whose me is a library's function
same, total = Same(), 0.0
other = same.me(0)
for d in ranking:
    same.put(topic.pool[d][0])
    total += other.x
return total
# annotation_of_an_inner_function_that_is_computed: computes an annotation of an inner function
total = 0.0
for d in ranking:
    def gain(y: 1 / (2 - topic.pool[d][0])) -> float:
        return y
    total += gain(topic.pool[d][0])
return total
# annotated_entry_that_is_not_set: annotates an attribute or an entry without setting it
total, rows = 0.0, [0, 0]
for d in ranking:
    rows[1 // (2 - int(topic.pool[d][0] > 0))]: int
    total += topic.pool[d][0]
return total
"""
