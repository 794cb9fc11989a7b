"""Remove a break that does not change scores, because later ranks would add 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiomcheck.derivation.aliases import changes
from axiomcheck.derivation.forms import Form, Product, Quantity


@dataclass(frozen=True)
class Exit:
    """Break of a loop over ranks that can be removed if later ranks add 0.

    Args:
        number: Name of the variable that the break's condition tests.
        complete: Expression that the variable is compared with; None for 0.
        skipped: Names that the last step of the loop sets only if it does not break.
        below: True if the loop also ends when the variable is negative.

    """

    number: str
    complete: ast.expr | None
    skipped: frozenset[str] = frozenset()
    below: bool = False


def without_exit(body: Sequence[ast.stmt], first: bool = True) -> tuple[list[ast.stmt], Exit] | None:
    """Remove a break on ``p == 0`` or ``found == n`` from a loop's body, or from a branch of it; None if there is none.

    Args:
        body: Statements of the loop or of the branch.
        first: True if these are the statements of the loop.

    Returns:
        The other statements, and the break.

    """
    for place, inner in enumerate(body):
        rest = body[place + 1 :]
        skipped = frozenset(name for later in rest for name, _ in changes(later))
        match inner:
            case ast.If(test, [ast.Break()], []) if (tested := _tested(test)) is not None:
                # if the break comes first, the reason why later ranks add 0 applies to the rank of the break, too
                none = first and not place
                return [*body[:place], *rest], replace(tested, skipped=frozenset() if none else skipped)
            case ast.If(test, then, other):
                for found, made in ((without_exit(then, False), True), (without_exit(other, False), False)):
                    if found is not None:
                        branch = ast.If(test, found[0] if made else then, other if made else found[0])
                        whole = [*body[:place], ast.copy_location(branch, inner), *rest]
                        return whole, replace(found[1], skipped=found[1].skipped | skipped)
    return None


def with_breaks(body: Sequence[ast.stmt], end: ast.stmt | None) -> list[ast.stmt]:
    """Replace each return in a loop's body by a break, if the statement after the loop returns the same expression."""
    made: list[ast.stmt] = []
    for inner in body:
        if isinstance(inner, ast.If):
            branches = [with_breaks(branch, end) for branch in (inner.body, inner.orelse)]
            changed = branches != [inner.body, inner.orelse]
            made.append(ast.copy_location(ast.If(inner.test, *branches), inner) if changed else inner)
        else:
            same = isinstance(inner, ast.Return) and end is not None and ast.unparse(inner) == ast.unparse(end)
            made.append(ast.copy_location(ast.Break(), inner) if same else inner)
    return made


def _tested(test: ast.expr) -> Exit | None:
    """Return the exit for a condition after which later ranks may add 0; None for other conditions."""
    match test:
        case ast.UnaryOp(ast.Not(), ast.Name(name)) | ast.Compare(ast.Name(name), [ast.Eq()], [ast.Constant(0)]):
            return Exit(name, None)
        case ast.Compare(ast.Name(name), [ast.LtE()], [ast.Constant(0)]):
            return Exit(name, None, below=True)
        case ast.Compare(ast.Name(name), [ast.Eq() | ast.GtE()], [other]):
            return Exit(name, other)
    return None


def stays_zero(number: Quantity, update: Form) -> bool:
    """Return True if an update leaves a number unchanged when it is 0."""
    return all(_has(number, product) for product in update.terms)


def is_zero_without(factors: set[Quantity], step: Form) -> bool:
    """Return True if a step is 0 where all of the given factors are 0."""
    return all(any(_has(factor, product) for factor in factors) for product in step.terms)


def _has(factor: Quantity, product: Product) -> bool:
    return any(atom == factor and exponent > 0 for atom, exponent in product)


def until_the_end(statement: ast.For) -> ast.For:
    """Replace ``if i >= len(x): break`` at the start of a loop by a shorter range; return other loops unchanged."""
    test = re.fullmatch(r"if (\w+) >= (len\((\w+)\)):\n    break", ast.unparse(statement.body[0]))
    rest = statement.body[1:]
    match statement.iter:
        case ast.Call(ast.Name("range"), [end] | [ast.Constant(0), end], []) if (
            test and rest and ast.unparse(statement.target) == test[1]
        ):
            if all(name != test[3] for part in rest for name, _ in changes(part)):
                counts = ast.parse(f"range(min({ast.unparse(end)}, {test[2]}))", mode="eval").body
                for node in ast.walk(counts):
                    ast.copy_location(node, statement)
                return ast.copy_location(ast.For(statement.target, counts, rest, statement.orelse), statement)
    return statement
