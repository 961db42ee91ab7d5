"""Every exercise: the solution passes, the stub is told so, usual mistakes get their hint."""

import inspect

import numpy as np
import pytest

from mlcore.neighbors import KNeighborsClassifier, condense_steps, squared_distances
from mllab import check
from mllab.check.exercise import Exercise, Mistake, Verdict

EXERCISES = {
    name: thing for name, thing in vars(check).items() if isinstance(thing, check.Exercise)
}
each = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [(exercise, mistake) for exercise in EXERCISES.values() for mistake in exercise.mistakes],
    ids=[f"{name}{m.answer.__name__}" for name, e in EXERCISES.items() for m in e.mistakes],
)


def test_the_search_finds_them():
    assert {"majority_vote", "all_distances", "balanced_vote", "condensed"} <= set(EXERCISES)
    assert set(EXERCISES) <= set(check.__all__)


@each
def test_the_reference_passes(exercise):
    verdict = exercise(exercise.reference)
    assert verdict.status == "right", verdict.message
    assert repr(verdict).startswith("✓")
    assert str(len(exercise.cases())) in verdict.message


@each
@pytest.mark.parametrize("nothing", [None, ...], ids=["None", "..."])
def test_an_untouched_stub_is_told_so(exercise, nothing):
    verdict = exercise(lambda *_: nothing)
    assert verdict.status == "unwritten"
    assert verdict.message == f"{exercise.name}: not written yet."
    assert repr(verdict).startswith("✎")


@each
def test_there_are_cases_hints_and_mistakes(exercise):
    assert len(exercise.cases()) >= 3
    assert len(exercise.hints) >= 1
    assert len(exercise.mistakes) >= 2
    hints = [mistake.hint for mistake in exercise.mistakes]
    assert len(set(hints)) == len(hints)
    for text in (*hints, *exercise.hints):
        assert text.rstrip().endswith((".", "]", "?", ")")), text


@each_mistake
def test_a_usual_mistake_fails_and_its_hint_names_it(exercise, mistake):
    verdict = exercise(mistake.answer)
    assert verdict.status == "wrong"
    assert repr(verdict).startswith("✗")
    assert mistake.hint in verdict.message
    assert "yours:" in verdict.message
    assert "right:" in verdict.message


@each
def test_an_answer_that_raises_is_reported_in_one_sentence(exercise):
    def answer(*_):
        raise KeyError("lost")

    verdict = exercise(answer)
    assert verdict.status == "wrong"
    assert verdict.message.endswith("your code stops: KeyError: 'lost'")


@each
def test_an_answer_with_other_parameters_is_reported(exercise):
    verdict = exercise(lambda: 1)
    assert verdict.status == "wrong"
    assert "your code stops: TypeError" in verdict.message


@each
@pytest.mark.parametrize("odd", ["text", np.empty((0, 7, 1)), {}, object(), np.nan])
def test_an_answer_of_another_kind_is_wrong_and_no_crash(exercise, odd):
    assert exercise(lambda *_: odd).status == "wrong"


@each
def test_the_result_instead_of_the_function(exercise):
    verdict = exercise(np.zeros(3))
    assert verdict.status == "wrong"
    assert "the function itself" in verdict.message


@each
def test_hints_come_one_after_the_other_and_round(exercise):
    exercise._hinted = 0
    told = [exercise.hint().message for _ in range(2 * len(exercise.hints))]
    assert told[: len(exercise.hints)] == told[len(exercise.hints) :]
    for number, (message, hint) in enumerate(zip(told, exercise.hints, strict=False), start=1):
        assert message == f"hint {number} of {len(exercise.hints)}: {hint}"


@each
def test_the_solution_is_code_that_passes(exercise):
    shown = exercise.solution().data
    code = shown.removeprefix("```python\n").removesuffix("\n```")
    assert code == inspect.getsource(exercise.reference).rstrip()
    made = {}
    exec(code, dict(vars(inspect.getmodule(exercise.reference))), made)
    assert exercise(made[exercise.name]).status == "right"
    assert not repr(exercise.solution()).startswith("<")


@each
def test_an_answer_may_spoil_its_arguments(exercise):
    def answer(*arguments):
        result = exercise.reference(*(np.copy(a) if isinstance(a, np.ndarray) else a
                                      for a in arguments))  # fmt: skip
        for a in arguments:
            if isinstance(a, np.ndarray):
                a[...] = 0
        return result

    assert exercise(answer).status == "right"
    assert exercise(exercise.reference).status == "right"


@each
def test_the_same_answer_gets_the_same_verdict(exercise):
    for answer in (exercise.reference, exercise.mistakes[0].answer, lambda *_: 0):
        assert repr(exercise(answer)) == repr(exercise(answer))


@each
def test_the_name_is_the_one_readers_call(exercise):
    assert EXERCISES[exercise.name] is exercise


def test_a_verdict_is_safe_html():
    shown = Verdict("wrong", "a < b & c\nnext")._repr_html_()
    assert "✗ a &lt; b &amp; c<br>next" in shown


def test_a_wrong_answer_that_is_no_usual_mistake_gets_the_first_hint():
    exercise = Exercise(
        abs,
        lambda: [(2,), (-3,)],
        hints=["first.", "second."],
        mistakes=[Mistake(lambda x: -x, "sign turned round.")],
    )
    assert exercise(abs).status == "right"
    assert "Hint: first." in exercise(lambda x: 7).message
    assert "Hint: sign turned round." in exercise(lambda x: -x).message
    assert "x = 2" in exercise(lambda x: -x).message, "the smallest case that differs"
    assert "x = -3" in exercise(lambda x: x).message


# ---- references against mlcore ------------------------------------------------------------------


def test_all_distances_is_mlcores():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(20, 3)), rng.normal(size=(15, 3))
    np.testing.assert_allclose(
        check.all_distances.reference(X, Z), np.sqrt(squared_distances(X, Z)), rtol=1e-9
    )


@pytest.mark.parametrize("seed", range(20))
def test_condensed_is_mlcores_in_the_order_of_the_rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, size=(40, 2)).astype(float)
    y = rng.integers(3, size=40)
    *_, last = condense_steps(X, y, np.arange(40))
    assert np.array_equal(check.condensed.reference(X, y), last.prototypes)


@pytest.mark.parametrize("seed", range(20))
def test_votes_are_mlcores(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 2)), rng.choice(3, size=60, p=[0.7, 0.2, 0.1])
    y[:3] = 0, 1, 2
    new = rng.normal(size=(10, 2))
    votes = {"uniform": check.majority_vote, "balanced": check.balanced_vote}
    for weights, exercise in votes.items():
        model = KNeighborsClassifier(k=9, weights=weights).fit(X, y)
        _, indices = model.kneighbors(new)
        more = (np.bincount(y),) if weights == "balanced" else ()
        by_hand = [exercise.reference(y[row], *more) for row in indices]
        assert np.array_equal(model.vote(np.ones(indices.shape), indices).argmax(axis=1), by_hand)
