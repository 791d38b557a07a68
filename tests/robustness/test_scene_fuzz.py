"""Whatever a scene file holds, the reader answers with a scene or with a SceneError that a person can read."""

import re

import pytest
import yaml
from fuzz import scene_texts

from taut.scene import Scene, SceneError, reader

COUNT = 1500
# words that belong to the machinery, not to the person who made the mistake
JARGON = re.compile(
    r"pydantic|Input should|tagged-union|Traceback|validator|discriminator|<class|object at 0x", re.IGNORECASE
)


@pytest.mark.parametrize("seed", range(3))
def test_every_text_gives_a_scene_or_a_clean_error(seed: int) -> None:
    sound = refused = 0
    for text in scene_texts(COUNT // 3, seed):
        try:
            scene = Scene.from_yaml(text, "fuzz.yaml")
        except SceneError as error:
            refused += 1
            assert error.problems
            for problem in error.problems:
                assert problem.file == "fuzz.yaml" and problem.message
                assert len(str(problem)) < 1000
            assert not JARGON.search(str(error)), str(error)
        else:
            sound += 1
            assert Scene.from_yaml(scene.to_yaml()) == scene
    # both sides of the border are visited, else the test tests nothing
    assert sound > 50 and refused > 200


def test_the_parser_in_python_is_as_robust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the parser in C was not built, the one in Python takes its place."""
    for text in scene_texts(300, seed=7):
        verdicts = []
        for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            monkeypatch.setattr(reader, "_Loader", loader)
            try:
                verdicts.append(Scene.from_yaml(text).to_yaml())
            except SceneError as error:
                verdicts.append("refused" if error.problems else "")
        assert "" not in verdicts
