"""Objects whose methods change them, and lists, dictionaries and arrays in objects."""

GIVEN = """
class Reader:
    def __init__(self, patience):
        self.patience = patience
        self.going, self.gained = 1.0, 0.0
    def reads(self, gain):
        self.earns(gain)
        self.going *= self.patience
    def earns(self, gain):
        if gain > 0:
            self.gained += self.going * gain
    def score(self):
        return (1 - self.patience) * self.gained

class Cascade(Reader):
    def __init__(self):
        super().__init__(None)
    def reads(self, gain, rank):
        self.gained += self.going * gain / rank
        self.going *= 1 - gain

class Walk:
    def __init__(self, rank=0):
        self.rank, self.depth, self.total = rank, 4, 0.0
    def step(self):
        self.rank += 1
    def earns(self, gain):
        self.step()
        self.total += gain / self.rank
    def earns_above(self, gain):
        if self.rank < self.depth:
            self.total += gain
        self.step()
    def begins_again(self, gain):
        self.earns(gain)
        self.rank = 0 if gain > 0 else self.rank

class Measured:
    def __init__(self):
        self.reset()
    def reset(self):
        self.hits, self.precisions, self.log = 0, [], {"rr": 0.0}
    def add(self, rank, grade):
        if grade > 0:
            self.hits += 1
            self.precisions.append(self.hits / rank)
    def begin(self, grades):
        for rank, grade in enumerate(grades, 1):
            if grade > 0:
                self.log["rr"] = 1 / rank
                break
    def mean(self, n):
        return sum(p for p in self.precisions) / n if n else 0.0

class Prepared:
    def __init__(self, topic, ranking):
        self.topic, self.ranking, self.gains = topic, ranking, None
        self.count = 0
        for d in ranking:
            self.count += topic.pool[d][0] > 0
    def prepare(self):
        self.gains = [self.topic.pool[d][0] for d in self.ranking]
    def score(self):
        self.prepare()
        return sum(g / i for i, g in enumerate(self.gains, 1))
    def __call__(self):
        self.count *= 0.5
        return self.count

class Noted:
    def __init__(self):
        self.total, self.seen = 0.0, set()
    def add(self, doc, grade, rank):
        if doc in self.seen or grade == 0:
            return False
        self.seen.add(doc)
        self.total += grade / rank
        return True

READERS = []

class Keeper:
    def __init__(self, rows):
        self.rows = rows

class Meter:
    def __init__(self):
        self.reads = 1
    def __len__(self):
        self.reads += 1
        return 1

class Adder:
    def __init__(self):
        self.sums = 1
    def __radd__(self, other):
        self.sums += 1
        return 0

class _Cutting:
    cut = None
    def __init__(self):
        self.cuts = [4500, None]
    def sum(self):
        self.cuts.pop()
        return 0

class _Counting:
    def __init__(self):
        self.cuts = [4500, None]
    def __getitem__(self, place):
        self.cuts.pop()
        return 0

Pair = namedtuple("Pair", ["grade", "rank"])

class Tally:
    last = 0.0
    def __init__(self):
        self.total, self.parts = 0.0, []
    def add(self, x):
        self.total += x
    def keep(self, x):
        self.parts = x
    def added(self, x):
        self.total += x
        return self.total
    def hidden(self):
        return self.total

class Returned(Tally):
    def itself(self):
        return self

class Handed(Tally):
    def reader(self):
        return self.hidden

class Above(Tally):
    def parent(self):
        return super()

class Fixed(NamedTuple):
    total: float

class Begun(Tally):
    def begin(self, x):
        self.__init__()
        self.total += x

class Bound(Tally):
    def __init__(self):
        super().__init__()
        self.read = self.hidden

class Inherited(Tally):
    def __init__(self):
        super().__init__()
        self.read = super().hidden

class Unnamed(Tally):
    def itself(*every):
        return every[0]

class Values:
    def __init__(self):
        self.values = []
    def add(self, x):
        self.values.append(x)
    def reader(self):
        return self.values

class Given:
    def __init__(self, values):
        self.values = values
    def add(self, x):
        self.values.append(x)

class Common:
    values = []
    def add(self, x):
        self.values.append(x)

class Tied:
    def __init__(self):
        self.one, self.other = [], []
    def tie(self):
        self.other = self.one
    def add(self, x):
        self.one.append(x)

class Growing:
    def __init__(self):
        self.values = []
    def add(self, x):
        self.values.append(x)
    def double(self):
        for x in self.values:
            self.add(x)

class Asked:
    def __init__(self):
        self.total = 0.0
    def score(self, gains):
        for x in gains:
            self.total += x
        return self.total

ASKED = Asked()

class Begins:
    x = 1.0
    def __init__(self, gains):
        self.reader = self.read
        for _ in gains:
            self.x = 2.0
        self.y = self.reader()
    def read(self):
        return self.x

class Half:
    def __init__(self, gains):
        self.one = np.array([1.0])
        self.other = self.one
        self.one *= 3

ONE_FOR_ALL = Tally()

@dataclass
class Held:
    grade: float
    tally: Tally = ONE_FOR_ALL

class Summing:
    def __init__(self):
        self.total = 0.0
    def step(self, grade):
        self.total += grade
        return self.total

class M4:
    def __init__(self, n):
        self.x = np.ones(n)
    def change(self):
        y = self.x
        y[3:] = 0
        return 1
"""

FOLLOWED = """
# object_that_remembers_aspects: rank i earns 1 times r; aspects by weight
tally = Tally()
for a, w in enumerate(topic.weights):
    tally.add(w * sum(topic.pool[d][a] for d in ranking))
return tally.total
# object_with_state: rank i earns (4/5) ** (i - 1) times 1/5 * r
reader = Reader(0.8)
for d in ranking:
    reader.reads(topic.pool[d][0])
return reader.score()
# object_per_aspect: rank i earns (1/2) ** (i - 1) times 1/2 * r; aspects by weight
total = 0.0
for a, w in enumerate(topic.weights):
    reader = Reader(0.5)
    for d in ranking:
        if topic.pool[d][a] > 0:
            reader.reads(topic.pool[d][a])
        else:
            reader.reads(gain=0)
    total += w * reader.score()
return total
# object_that_a_branch_changes: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0
user = Cascade()
for i, d in enumerate(ranking, start=1):
    if topic.pool[d][0] > 0:
        user.reads(topic.pool[d][0], i)
return user.gained
# object_read_in_a_loop: rank i earns (1/2) ** (i - 1) times 1/2 * r
reader, total = Reader(0.5), 0.0
for d in ranking:
    total += reader.going * topic.pool[d][0]
    reader.reads(0)
return total * reader.patience
# list_that_an_object_fills: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
#   number of relevant
m = Measured()
for rank, d in enumerate(ranking, 1):
    m.add(rank, topic.pool[d][0])
return m.mean(sum(g[0] > 0 for g in topic.pool.values()))
# dictionary_that_an_object_fills: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
m = Measured()
m.begin([topic.pool[d][0] for d in ranking])
return m.log["rr"]
# object_that_prepares_itself: rank i earns 1 / i times r
return Prepared(topic, ranking).score()
# object_that_is_called_once: rank i earns 1 times 1/2 * hit
m = Prepared(topic, ranking)
return m()
# ranks_that_an_object_counts: rank i earns 1 / i times r
walk = Walk()
for d in ranking:
    walk.earns(topic.pool[d][0])
return walk.total
# cutoff_of_an_object_that_counts_from_one: only ranks up to 3 count
walk = Walk(1)
for d in ranking:
    walk.earns_above(topic.pool[d][0])
return walk.total
# object_whose_results_are_ignored: rank i earns 1 / i times r
m = Noted()
for rank, d in enumerate(ranking, 1):
    m.add(d, topic.pool[d][0], rank)
return m.total
"""

REFUSED = """
# ranks_that_an_object_counts_anew: divides by a number that is neither a constant
walk = Walk()
for d in ranking:
    walk.begins_again(topic.pool[d][0])
return walk.total
# ranks_that_an_object_skips: divides by a number that is neither a constant
walk = Walk()
for d in ranking:
    if topic.pool[d][0] > 0:
        walk.earns(topic.pool[d][0])
return walk.total
# ranks_that_start_as_a_float: divides by a number that is neither a constant
walk = Walk(0.0)
for d in ranking:
    walk.earns(topic.pool[d][0])
return walk.total
# break_before_anything: ends a loop in its first iteration, whatever the ranking is: put the break under an if
total = 0.0
for i, d in enumerate(ranking):
    if i >= 0:
        break
    total += topic.pool[d][0]
return total
# list_that_is_sorted_after_it_was_stored: it changes rows in place, which may also change keeper
rows = [topic.pool[d][0] for d in ranking]
keeper = Keeper(rows)
rows.sort()
return sum(g / (i + 1) for i, g in enumerate(keeper.rows))
# dictionary_that_is_filled_in_an_object: changes the attribute rows in a method whose result is used
keeper = Keeper({})
for d in ranking:
    keeper.rows[d] = topic.pool[d][0]
return sum(keeper.rows.values())
# super_of_a_stranger: calls super with arguments that are not supported: use super()
return len(super(Keeper, READERS).rows) * len(ranking)
# object_whose_length_changes_it: takes the length of a function, a class or an object, which is not supported
meter = Meter()
_ = len(meter) if len(ranking) > 3 else 0
return meter.reads * _hits(topic, ranking)
# object_that_is_added_to_a_rank: it computes with a function, a class or an object, which is not supported
adder, rank = Adder(), 0
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        rank = i + 1
        break
_ = rank + adder
return adder.sums * _hits(topic, ranking)
# object_with_the_name_of_another_variable: changes the attribute cuts in a method whose result is used
s = _Cutting()
_ = (s.sum() + len([s for s in (1, 2)])) if len(ranking) > 1 else 0
return _hits(topic, ranking[: s.cuts[-1]])
# object_that_a_loop_with_an_end_chooses: reads an entry of a function, a class or an object
one, other, first = _Counting(), _Counting(), 0
for d in ranking:
    if topic.pool[d][0] > 0:
        first = 1
        break
owner = one if first else other
_ = owner[0]
return _hits(topic, ranking[: one.cuts[-1]])
# list_in_a_named_tuple: changes kept, which may refer to another object: change a copy instead
pair = Pair([1.0], 1)
kept, _ = pair
kept.append(1.0)
return len(pair.grade) * _hits(topic, ranking)
# named_tuples_in_their_own_order: computes with a function, a class or an object, which is not supported
pairs = sorted([Pair(topic.pool[d][0], -i) for i, d in enumerate(ranking)], reverse=True)
return sum(pair.grade / i for i, pair in enumerate(pairs, 1))
# equal_named_tuples: compares a function, a class or an object
return sum(Pair(topic.pool[d][0], 1) != Pair(0, 1) for d in ranking)
# object_with_two_names: changes other, which may refer to another object
tally = Tally()
other = tally
for d in ranking:
    other.add(topic.pool[d][0])
return tally.total
# object_in_a_list: changes tally, which another variable may refer to
tally = Tally()
held = [tally]
for d in ranking:
    tally.add(topic.pool[d][0])
return held[0].total
# object_of_the_caller: changes tally, which belongs to the caller
def add(tally, x):
    tally.add(x)
    return x
tally = Tally()
return sum(add(tally, topic.pool[d][0]) for d in ranking) + tally.total
# object_that_a_function_reads: changes tally after defining a function or generator reading it: use a new name
tally = Tally()
def total():
    return tally.total
for d in ranking:
    tally.add(topic.pool[d][0])
return total()
# object_that_a_generator_reads: changes tally after defining a function or generator reading it: use a new name
tally = Tally()
totals = (tally.total for _ in ranking)
for d in ranking:
    tally.add(topic.pool[d][0])
return sum(totals)
# object_that_a_method_returns: changes an object that one of its methods may have stored a reference to
tally = Returned()
other = tally.itself()
for d in ranking:
    tally.add(topic.pool[d][0])
return other.total
# object_of_a_method_that_is_returned: changes an object that one of its methods may have stored a reference to
tally = Handed()
read = tally.reader()
for d in ranking:
    tally.add(topic.pool[d][0])
return read()
# object_of_a_parent: changes an object that one of its methods may have stored a reference to
tally = Above()
parent = tally.parent()
for d in ranking:
    tally.add(topic.pool[d][0])
return parent.hidden()
# object_that_keeps_a_list: changes gains, which another variable may refer to
tally, gains = Tally(), []
tally.keep(gains)
for d in ranking:
    gains.append(topic.pool[d][0])
return sum(tally.parts)
# object_whose_method_has_a_name: changes tally, which another variable may refer to
tally = Tally()
total = tally.hidden
for d in ranking:
    tally.add(topic.pool[d][0])
return total()
# object_that_is_a_tuple: changes an object of Fixed, whose fields cannot be set
tally = Fixed(1.0)
for d in ranking:
    tally._replace(total=topic.pool[d][0])
return tally.total
# object_that_begins_again: changes an object that one of its methods may have stored a reference to
tally = Begun()
for d in ranking:
    tally.begin(topic.pool[d][0])
return tally.total
# object_that_is_made_again: calls __init__ of tally, or a method of tally with tally itself as an argument
tally = Tally()
for i, d in enumerate(ranking):
    tally.add(topic.pool[d][0])
    if i > 30:
        tally.__init__()
return tally.total
# object_that_has_its_method: changes an object that one of its methods may have stored a reference to
tally = Bound()
for d in ranking:
    tally.add(topic.pool[d][0])
return tally.read()
# object_that_has_a_method_of_its_base: changes an object that one of its methods may have stored a reference to
tally = Inherited()
for d in ranking:
    tally.add(topic.pool[d][0])
return tally.read()
# object_without_a_name_in_its_method: changes an object that one of its methods may have stored a reference to
tally = Unnamed()
other = tally.itself()
for d in ranking:
    tally.add(topic.pool[d][0])
return other.total
# object_that_gets_itself: calls __init__ of tally, or a method of tally with tally itself as an argument
tally = Tally()
for d in ranking:
    tally.add(topic.pool[d][0])
tally.keep(
    tally)
return tally.total
# list_of_an_object_with_another_name: keeps a reference to values, which a method changes
m = Values()
seen = m.values
for d in ranking:
    m.add(topic.pool[d][0])
return sum(seen)
# list_of_an_object_that_a_method_returns: keeps a reference to values, which a method changes
m = Values()
seen = m.reader()
for d in ranking:
    m.add(topic.pool[d][0])
return sum(seen)
# list_of_the_caller_in_an_object: changes the attribute values, which a method sets to something other than a new
rows = []
m = Given(rows)
for d in ranking:
    m.add(topic.pool[d][0])
return sum(rows)
# list_of_a_class: changes an object that one of its methods may have stored a reference to
m = Common()
for d in ranking:
    m.add(topic.pool[d][0])
return sum(m.values)
# lists_of_an_object_that_become_one: keeps a reference to one, which a method changes
m = Tied()
m.tie()
for d in ranking:
    m.add(topic.pool[d][0])
return sum(m.other)
# list_of_an_object_that_grows_while_it_is_read: changes self in a loop over it
m = Growing()
for x in [1.0, 2.0]:
    m.add(x)
m.double()
return sum(topic.pool[d][0] for d in ranking) * len(m.values)
# object_that_is_asked_and_read_in_a_loop: in a method whose result is used
m = Asked()
first = m.score([topic.pool[d][0] for d in ranking])
return first + sum(m.total for d in ranking)
# object_that_is_kept_for_the_next_call: updates self from rank to rank
return ASKED.score([topic.pool[d][0] for d in ranking])
# object_whose_loop_in_init_changes_what_is_left: changes an object that one of its methods may have stored a
return Begins([topic.pool[d][0] for d in ranking]).y * sum(topic.pool[d][0] for d in ranking)
# array_of_an_object_with_two_names: changes the attribute one with an operator: set it to a new value
return Half(0).other[0] * sum(topic.pool[d][0] for d in ranking)
# object_that_is_a_default: changes the attribute tally in a method whose result is used: call it in a statement
for d in ranking:
    held = Held(topic.pool[d][0])
    held.tally.add(held.grade)
return Held(0.0).tally.total
# object_changed_by_a_helper: sets the attribute total
summing = Summing()
def grown(grade):
    return summing.step(grade)
return grown(topic.pool[ranking[0]][0]) + grown(1.0) if ranking else 0.0
# object_changed_by_its_parameter: sets the attribute total
def grown(one):
    return one.step(1.0)
summing = Summing()
return (grown(summing) + grown(summing)) * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
# array_attribute_in_place: changes y, which may be a view of another array
m = M4(grades.shape[1])
a = m.change()
return (grades[..., 0] * m.x).sum(axis=1) * a
"""
