"""Every code block of README and docs runs: Python and scenes as they stand, commands as they are typed, page by page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from pages import MADE, PAGES, ROOT, Block, blocks_of
from typer.testing import CliRunner

import taut
from taut.cli.app import app
from taut.view.inline import Inline

#: commands that stay, or take minutes: their options are checked, and they have tests of their own
LONG = {"view", "serve", "validate", "bench", "soak", "render"}
KINDS = {"python", "yaml", "console", "indented", "c", "text"}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT)).removesuffix(".md")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for block in blocks_of(page):
        where = f"{name(page)}.md:{block.line}"
        assert block.kind in KINDS, f"{where}: a block of {block.kind!r} that no test runs"
        if block.file and not block.skipped:
            (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        if block.kind == "python" and not block.skipped:
            code = "\n" * block.line + block.text
            made: dict[str, Any] = {"__name__": "__main__"}
            exec(compile(code, f"{name(page)}.md", "exec"), made)  # each by itself
            for shown in [value for value in made.values() if isinstance(value, Inline)]:
                shown.close()
        elif block.kind == "yaml" and not block.skipped:
            check_scene(block, where)
        elif block.kind in ("console", "indented"):
            for words in block.commands():
                run_command(words, where, run=not block.skipped)


def check_scene(block: Block, where: str) -> None:
    """A scene can be simulated, a route can be laid; a part of a scene would not be checked by anybody."""
    data = yaml.safe_load(block.text)
    assert "taut" in data, f"{where}: part of a scene; write a whole one, or say why it is not run"
    if "route" in data:
        from taut.cables.rod.route import Route

        Route.load(block.file).harness.solve()
        return
    taut.Simulation(taut.Scene.from_yaml(block.text))


def run_command(words: list[str], where: str, run: bool) -> None:
    """Type it. One that stays or takes long must at least have the options that are written."""
    group: Any = typer.main.get_command(app)
    said = " ".join(["taut", *words])
    if words[0].startswith("-"):
        run = True
    else:
        assert words[0] in group.commands, f"{where}: {said} - there is no such command"
        known = {option for p in group.commands[words[0]].params for option in (*p.opts, *p.secondary_opts)}
        wrong = {word for word in words if word.startswith("--")} - known - {"--help"}
        assert not wrong, f"{where}: {said} - no option {', '.join(wrong)}"
    stays = words[0] in LONG or (
        words[0] == "route" and not re.search(r"--(report|motion|export|save|tolerance)", said)
    )
    if not run or stays:
        return
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, f"{where}: {said}\n{done.output}"


def test_the_library_of_pages_is_there() -> None:
    assert len(PAGES) > 10 and all(blocks_of(page) is not None for page in PAGES)


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, *MADE.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not re.match(r"\w+:", target):
                assert (page.parent / target).exists(), f"{name(page)}.md leads to {target}"


def test_files_that_are_named_with_their_folder_are_there() -> None:
    for page in PAGES:
        for file in re.findall(r"`(\w+/[\w/]+\.(?:py|yaml|c|h))`", page.read_text(encoding="utf-8")):
            assert (ROOT / file).exists() or (ROOT / "src" / "taut" / file).exists(), f"{name(page)}.md: no file {file}"


def test_every_figure_of_a_model_is_there_and_shown() -> None:
    import runpy

    tool = runpy.run_path(str(ROOT / "tools" / "figures.py"))
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    wanted = {f"{name}.png" for name in tool["CURVES"]} | {f"{scene}.jpg" for scene in tool["SCENES"]}
    assert {file.name for file in tool["FOLDER"].iterdir()} == wanted
    assert all(f"(figures/{name})" in text for name in wanted)
    for scene in tool["SCENES"]:
        kept, shown = tool["FOLDER"] / f"{scene}.jpg", tool["GALLERY"] / f"{scene}.jpg"
        assert kept.read_bytes() == shown.read_bytes(), f"run tools/figures.py: {scene} has a new picture"
    for model in ("massless", "wrapping", "segmented", "layered", "auto", "rod", "honeycomb", "contact"):
        page = (ROOT / "docs" / f"{model}.md").read_text(encoding="utf-8")
        assert "](figures/" in page and "## " in page and "imits" in page, model


def test_reference_pages_are_fresh() -> None:
    import runpy

    tool = runpy.run_path(str(ROOT / "tools" / "reference.py"))
    for file, page in tool["PAGES"].items():
        written = (tool["FOLDER"] / file).read_text(encoding="utf-8")
        assert written == page(), f"docs/reference/{file} is stale: run `python tools/reference.py`"


def test_the_pages_build_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
    import logging

    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    class Kept(logging.Handler):
        def __init__(self) -> None:
            super().__init__(logging.WARNING)
            self.said: list[str] = []

        def emit(self, record: logging.LogRecord) -> None:
            self.said.append(record.getMessage())

    kept = Kept()
    logging.getLogger("mkdocs").addHandler(kept)
    try:
        build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
    finally:
        logging.getLogger("mkdocs").removeHandler(kept)
    assert not kept.said
    pages = {p.parent.name for p in (tmp_path / "site").rglob("index.html")}
    assert {"concepts", "start", "scene", "api"} <= pages


def test_quantities_named_in_the_text_exist() -> None:
    """Names of the simulation as a whole, `energy.dissipated` and the like, wherever they stand in a page."""
    known = set(taut.Simulation("pendulum").names)
    for page in PAGES:
        for found in re.findall(
            r"`((?:energy|residual|step|contact|momentum)\.[a-z_]+)`", page.read_text(encoding="utf-8")
        ):
            assert found in known, f"{name(page)}.md: there is no {found}"
