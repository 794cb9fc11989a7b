"""Calls whose results are used, and that also change a container or an object of the caller."""

GIVEN = """
def gained(topic, document, seen):
    total = 0.0
    for a, grade in enumerate(topic.pool[document]):
        if grade > 0:
            total += grade * 0.5 ** seen[a]
            seen[a] += 1
    return total

def gained_or_nothing(topic, document, seen):
    if topic.pool[document][0] == 0:
        return 0.0
    seen["hits"] += 1
    return seen["hits"]

def itself(topic, document, seen):
    for a, grade in enumerate(topic.pool[document]):
        seen[a] += grade
    return seen

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

class Child(User):
    def difference(self, grade):
        return super().rest() - super().step(grade)

class Begun:
    def score(self, topic, ranking):
        self.topic = topic
        return sum(self.gain(d) / i for i, d in enumerate(ranking, start=1))
    def gain(self, d):
        raise NotImplementedError

class Graded(Begun):
    def gain(self, d):
        return self.topic.pool[d][0]
    def score(self, topic, ranking):
        best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
        own = super().score(topic, ranking)
        ideal = super().score(topic, best)
        return own / ideal if ideal > 0 else 0.0

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
# gains_of_a_function_that_counts: rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen) / i
return total
# sum_of_gains_of_a_function_that_counts: rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0
seen = Counter()
return sum(gained(topic, d, seen) / i for i, d in enumerate(ranking, start=1))
# function_that_returns_early: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect
seen, total = {"hits": 0}, 0.0
for i, d in enumerate(ranking, start=1):
    hits = gained_or_nothing(topic, d, seen)
    total += hits / i
return total
# gains_of_an_object: rank i earns (4/5) ** (i - 1) times r * s0; s0 is 1, then s0 - 1/2 * hit * s0
user, total = User(len(topic.weights)), 0.0
for d in ranking:
    total += user.reads(topic.pool[d])
return total
# sum_of_gains_of_an_object: rank i earns (4/5) ** (i - 1) times r * s0; s0 is 1, then s0 - 1/2 * hit * s0
d, user = 2.0, User(len(topic.weights))
return sum(user.reads(topic.pool[d]) for d in ranking) * d / 2
# gains_of_a_base_class: rank i earns 1 / i times r; one aspect; divided by the total of the best order
return Graded().score(topic, ranking)
# object_for_each_aspect: rank i earns (4/5) ** (i - 1) times r * s0; s0 is 1, then s0 - 1/2 * hit * s0
aspects, discount = [Aspect(0.5) for _ in topic.weights], 1.0
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, discount)
    discount *= 0.8
return sum(aspect.gain for aspect in aspects)
# object_for_each_aspect_by_index: rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; aspects by weight
aspects = {a: Aspect() for a in range(len(topic.weights))}
for i, d in enumerate(ranking, start=1):
    for a, grade in enumerate(topic.pool[d]):
        aspects[a].reads(grade, 1 / i)
return sum(w * aspects[a].gain for a, w in enumerate(topic.weights))
# objects_of_a_dictionary: rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; aspects by weight
aspects = {a: Aspect() for a in range(len(topic.weights))}
for i, d in enumerate(ranking, start=1):
    for a, aspect in aspects.items():
        aspect.reads(topic.pool[d][a], 1 / i)
return sum(topic.weights[a] * aspect.gain for a, aspect in aspects.items())
# dictionary_that_a_factory_makes: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0
counts = Counts([])
for i, d in enumerate(ranking, start=1):
    counts.reads(topic.pool[d], i)
return counts.total
# gains_of_objects: rank i earns 1 times r + s0; s0 is 0, then r + s0; all aspects alike
aspects, total = [Aspect() for _ in topic.weights], 0.0
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        total += aspect.step(grade)
return total
"""

REFUSED = """
# methods_of_objects_that_are_kept: changes an object in users that another variable may also refer to
users, total = [User(1) for _ in topic.weights], 0.0
rests = [user.rest for user in users]
for d in ranking:
    for user, rest, grade in zip(users, rests, topic.pool[d]):
        user.step(grade)
        total += rest()
return total
# two_variables_for_one_object: changes an object in users that another variable may also refer to
users, total = [User(1) for _ in topic.weights], 0.0
for d in ranking:
    for user, other, grade in zip(users, users, topic.pool[d]):
        total += user.step(grade) + 0 * other.left
return total
# change_of_a_loop_variable_in_a_sum: changes seen, which belongs to the caller
rows, total = [defaultdict(int), defaultdict(int)], 0.0
for i, d in enumerate(ranking, start=1):
    total += sum(gained(topic, d, seen) for seen in rows) / i
return total + rows[0][0]
# value_that_a_condition_sets_before_the_change: sets the attribute left outside __init__
user, total, y = User(1), 0.0, 0.0
for d in ranking:
    if (y := topic.pool[d][0]) < user.step(y):
        total += 1
return total
# object_that_super_reads_before_the_change: sets the attribute left outside __init__
user, total = Child(1), 0.0
for d in ranking:
    total += user.difference(topic.pool[d][0])
return total
# two_changes_in_a_statement: changes seen, which belongs to the caller
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen) / i + gained(topic, d, seen)
return total
# change_in_a_branch: changes seen, which belongs to the caller
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen) / i if topic.pool[d][0] > 0 else 0.0
return total
# change_after_and: sets the attribute left outside __init__
user, total = User(1), 0.0
for d in ranking:
    total += topic.pool[d][0] and user.step(topic.pool[d][0])
return total
# change_in_a_later_comparison: sets the attribute left outside __init__
user, total = User(1), 0.0
for d in ranking:
    total += 0 < topic.pool[d][0] < user.step(topic.pool[d][0])
return total
# object_read_before_its_change: sets the attribute left outside __init__
user, total = User(1), 0.0
for d in ranking:
    total += user.left * user.step(topic.pool[d][0])
return total
# attribute_of_the_changed_object: sets the attribute left outside __init__
user = User(1)
for d in ranking:
    user.left += user.step(topic.pool[d][0])
return user.left
# gains_in_a_list: sets the attribute left outside __init__
user = User(1)
gains = [user.step(topic.pool[d][0]) for d in ranking]
return sum(gains)
# largest_of_gains: sets the attribute left outside __init__
user = User(1)
return max(user.step(topic.pool[d][0]) for d in ranking)
# gains_that_the_object_filters: sets the attribute left outside __init__
user = User(1)
return sum(user.step(topic.pool[d][0]) for d in ranking if user.left > 0.1)
# sum_of_another_name: redefines the builtin sum: use another name
def sum(values):
    return next(values, 0.0)
user = User(1)
return sum(user.step(topic.pool[d][0]) for d in ranking)
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
    total += user.step(topic.pool[d][0])
return total * left()
# method_of_an_object_in_map: sets the attribute left outside __init__
user, total = User(1), 0.0
gains = map(user.step, [topic.pool[d][0] for d in ranking])
total += user.step(1.0)
return sum(gains) + total
# object_with_a_second_name: changes user, which another variable may refer to
user, total = User(1), 0.0
other = [user]
for d in ranking:
    total += user.step(topic.pool[d][0])
return total * other[0].left
# loop_until_the_object_stops: compares a number that may be
user, total = User(1), 0.0
for d in ranking:
    total += topic.pool[d][0]
    if user.stops():
        break
return total
# container_that_a_function_returns: changes seen, which belongs to the caller
seen = defaultdict(int)
for d in ranking:
    other = itself(topic, d, seen)
return sum(other.values())
# list_that_a_method_returns: keeps a reference to gains, which a method changes in place: use a copy
user = User(1)
for d in ranking:
    gains = user.kept(topic.pool[d][0])
return sum(gains)
# list_that_a_method_makes: uses the result of a call that changes user, and the result is not a number
user = User(1)
for d in ranking:
    gains = user.keep(topic.pool[d][0])
return sum(gains)
# list_of_an_object_for_its_own_method: calls __init__ of user, or a method of user with user itself as an argument
user = User(1)
for d in ranking:
    user.keep(topic.pool[d][0])
n = user.copy_of(user.gains)
return n * topic.pool[ranking[0]][0]
# default_that_a_function_changes: changes seen, which belongs to the caller
return sum(with_a_default(topic, d) / i for i, d in enumerate(ranking, start=1))
# change_by_keyword: changes seen, which belongs to the caller
seen, total = defaultdict(int), 0.0
for i, d in enumerate(ranking, start=1):
    total += gained(topic, d, seen=seen) / i
return total
# list_that_each_rank_sets_anew: updates setting['values'] from rank to rank, but a loop cannot update an array
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
# list_tied_to_an_entry: which a method sets to something other than a new
two, total = Two(), 0.0
total += two.tie()
for d in ranking:
    total += two.add(topic.pool[d][0])
return total * len(two.both[0])
# object_that_its_method_stores: changes an object that one of its methods may have stored a reference to
leaving, total = Leaving(), 0.0
for d in ranking:
    total += leaving.step(topic.pool[d][0])
HELD[-1].total = 0.0
return total
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
# object_of_an_aspect_that_is_kept: changes an object in aspects that another variable may also refer to
aspects = [Aspect() for _ in topic.weights]
kept = []
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
        kept.append(aspect)
return sum(aspect.gain for aspect in aspects)
# first_object_of_the_aspects: reads an entry of an iterable
aspects = [Aspect() for _ in topic.weights]
first = aspects[0]
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return first.gain
# objects_under_another_name: changes an object in aspects that another variable may also refer to
aspects = [Aspect() for _ in topic.weights]
again = list(aspects)
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return sum(x.gain for x in again)
# object_in_a_loop_over_other_aspects: changes aspect, which may refer to another object
aspects = [Aspect() for _ in topic.weights]
for d in ranking:
    for aspect in aspects:
        for grade in topic.pool[d]:
            aspect.reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
# object_in_a_loop_over_ranks: changes an object in aspects other than the one for a loop's current aspect
aspects = [Aspect() for _ in topic.weights]
for aspect in aspects:
    for d in ranking:
        aspect.reads(topic.pool[d][0], 1.0)
return sum(aspect.gain for aspect in aspects)
# object_of_the_first_aspect: changes an object in aspects other than the one for a loop's current aspect
aspects = [Aspect() for _ in topic.weights]
for d in ranking:
    for grade in topic.pool[d]:
        aspects[0].reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
# objects_in_their_own_loop: changes an object in aspects that another variable may also refer to
aspects, total = [Aspect() for _ in topic.weights], 0.0
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
        total += len([x for x in aspects if x.seen > 0])
return total
# objects_of_the_caller: changes aspect, which may refer to another object
def run(aspects):
    aspects = [Aspect() for _ in topic.weights] if aspects is None else aspects
    for d in ranking:
        for aspect, grade in zip(aspects, topic.pool[d]):
            aspect.reads(grade, 1.0)
    return sum(aspect.gain for aspect in aspects)
return run(None)
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
# objects_of_some_aspects: changes an object in aspects other than the one for a loop's current aspect
judged = [any(g[a] > 0 for g in topic.pool.values()) for a in range(len(topic.weights))]
aspects = [Aspect() for some in judged if some]
for i, d in enumerate(ranking, start=1):
    for a, grade in enumerate(topic.pool[d]):
        aspects[a].reads(grade, 1 / i)
return sum(aspect.gain for aspect in aspects)
# view_of_the_objects: changes an object in aspects that another variable may also refer to
aspects = {a: Aspect() for a in range(len(topic.weights))}
view = aspects.values()
for i, d in enumerate(ranking, start=1):
    for a, grade in enumerate(topic.pool[d]):
        aspects[a].reads(grade, 1 / i)
return sum(x.gain for x in view)
# objects_of_judged_aspects: changes an object in aspects other than the one for a loop's current aspect
aspects = {a: Aspect() for a in range(len(topic.weights)) if any(g[a] > 0 for g in topic.pool.values())}
for i, d in enumerate(ranking, start=1):
    for a, grade in enumerate(topic.pool[d]):
        aspects[a].reads(grade, 1 / i)
return sum(x.gain for x in aspects.values())
# zip_of_the_user: reads an entry of an iterable, which is not supported
def zip(one, two):
    return [(one[0], two[0])]
aspects = [Aspect() for _ in topic.weights]
for d in ranking:
    for aspect, grade in zip(aspects, topic.pool[d]):
        aspect.reads(grade, 1.0)
return sum(aspect.gain for aspect in aspects)
"""
