"""Remove a break that does not change scores, because later ranks would add 0."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from axiomcheck.derivation.aliases import changes
from axiomcheck.derivation.forms import Form, Product, Quantity


@dataclass(frozen=True)
class Exit:
    """Break of a loop over ranks that can be removed if later ranks add 0.

    Args:
        number: Name of the variable that the condition of the break tests.
        complete: Expression that the variable is compared with; None for 0.
        skipped: Names that the last step of the loop sets only if it does not break.
        below: True if the loop also ends when the variable is below 0.

    """

    number: str
    complete: ast.expr | None
    skipped: frozenset[str]
    below: bool = False


def without_exit(statement: ast.For) -> tuple[ast.For, Exit] | None:
    """Remove a break on ``p == 0`` or ``found == n``; return the loop and the break, or None if there is no break."""
    if statement.orelse:  # runs unless the loop is left by this break
        return None
    for place, inner in enumerate(statement.body):
        below = False
        match inner:
            case ast.If(ast.UnaryOp(ast.Not(), ast.Name(name)), [ast.Break()], []):
                complete = None
            case ast.If(ast.Compare(ast.Name(name), [op], [ast.Constant(0)]), [ast.Break()], []) if isinstance(
                op, ast.Eq | ast.LtE
            ):
                complete, below = None, isinstance(op, ast.LtE)
            case ast.If(ast.Compare(ast.Name(name), [ast.Eq()], [other]), [ast.Break()], []):
                complete = other
            case _:
                continue
        body = [*statement.body[:place], *statement.body[place + 1 :]]
        # if the break comes first, the reason why later ranks add 0 applies to the rank of the break, too
        skipped = {name for later in statement.body[place + 1 :] for name, _ in changes(later)} if place else set()
        loop = ast.copy_location(ast.For(statement.target, statement.iter, body, [], None), statement)
        return loop, Exit(name, complete, frozenset(skipped), below)
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
    """Replace ``if i >= len(x): break`` at the start of a loop over a range by a shorter range."""
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
