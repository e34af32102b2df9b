"""Workflows of GitHub: their words are those of the Makefile, and permissions are the least."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import irbounds

ROOT = Path(__file__).parent.parent
WORKFLOWS = {path.stem: path for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
#: permissions of jobs that need more than the workflow's ``contents: read``
JOB_PERMISSIONS = {
    ("docs", "deploy"): {"pages": "write", "id-token": "write"},
    ("release", "publish"): {"id-token": "write"},
}
MAKEFILE = (ROOT / "Makefile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read_workflow(name: str) -> dict[str, Any]:
    """Return a workflow; YAML 1.1 reads the key ``on`` as true."""
    workflow = yaml.safe_load(WORKFLOWS[name].read_text())
    workflow["on"] = workflow.pop(True)
    return workflow


def list_steps(workflow: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the steps with the names of their jobs."""
    for name, job in workflow["jobs"].items():
        for step in job.get("steps", []):
            yield name, step


def list_commands(name: str) -> list[str]:
    return [step["run"] for _, step in list_steps(read_workflow(name)) if "run" in step]


def test_there_are_three_workflows():
    assert set(WORKFLOWS) == {"ci", "docs", "release"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_commands_are_words_of_the_makefile_or_files(name):
    extras = PROJECT["optional-dependencies"]
    assert list_commands(name)
    for command in list_commands(name):
        program, *words = command.split()
        if program != "make":
            path = ROOT / program
            assert path.parent.name == ".ci"
            assert path.stat().st_mode & 0o100
            continue
        variables = dict(word.split("=") for word in words if "=" in word)
        assert variables.get("EXTRA", "dev") in extras
        for word in words:
            if "=" not in word:
                assert re.search(rf"^{word}:", MAKEFILE, re.MULTILINE), word
        assert all(f"$({variable})" in MAKEFILE for variable in variables)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_permissions_are_the_least(name):
    workflow = read_workflow(name)
    assert workflow["permissions"] == {"contents": "read"}
    for job, body in workflow["jobs"].items():
        assert body.get("permissions") == JOB_PERMISSIONS.get((name, job))
    for _, step in list_steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_have_a_major_version_and_jobs_end(name):
    workflow = read_workflow(name)
    for _, step in list_steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@v\d+|pypa/[\w-]+@release/v1", step["uses"])
    for job in workflow["jobs"].values():
        assert "timeout-minutes" in job or job["uses"] == "./.github/workflows/ci.yml"
    assert workflow["concurrency"]["group"]


def test_expressions_are_not_part_of_commands():
    """A name of a branch or tag in a command would be run by the shell."""
    for name in WORKFLOWS:
        assert not [command for command in list_commands(name) if "${{" in command]


def test_concurrency_groups_differ():
    """A workflow that calls another one of the same group would wait for itself."""
    groups = [read_workflow(name)["concurrency"]["group"] for name in WORKFLOWS]
    assert len(set(groups)) == len(groups)
    assert not [group for group in groups if "github.workflow" in group]


def test_ci_runs_everything_and_the_default_tests_on_every_python():
    jobs = read_workflow("ci")["jobs"]
    assert ".ci/run" in list_commands("ci")
    assert (
        (ROOT / ".ci" / "run")
        .read_text()
        .endswith("\nmake lint types contract slow spelling docs package\n")
    )
    prefix = "Programming Language :: Python :: "
    versions = [line.removeprefix(prefix) for line in PROJECT["classifiers"] if prefix in line]
    minor = [version for version in versions if re.fullmatch(r"3\.\d+", version)]
    assert jobs["test"]["strategy"]["matrix"]["python"] == minor
    assert PROJECT["requires-python"] == f">={minor[0]}"


def test_pages_are_built_by_make_docs_into_site():
    workflow = read_workflow("docs")
    (upload,) = [s for _, s in list_steps(workflow) if "upload-pages-artifact" in s.get("uses", "")]
    assert upload["with"] == {"path": "site/"}
    assert workflow["jobs"]["deploy"]["needs"] == "build"
    assert [word for command in list_commands("docs") for word in command.split() if word == "docs"]


def test_release_is_published_after_the_tag_is_checked_and_ci_has_passed():
    workflow = read_workflow("release")
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    jobs = workflow["jobs"]
    assert jobs["tag"]["steps"][-1]["run"] == '.ci/check_tag "$GITHUB_REF_NAME"'
    assert jobs["ci"] == {"needs": "tag", "uses": "./.github/workflows/ci.yml"}
    assert "workflow_call" in read_workflow("ci")["on"]
    assert jobs["build"]["needs"] == "tag"
    assert jobs["publish"]["needs"] == ["ci", "build"]


def test_release_uses_trusted_publishing():
    """It has an environment and an OIDC token, and neither a password nor an address."""
    publish = read_workflow("release")["jobs"]["publish"]
    assert publish["environment"] == "release"
    assert publish["steps"][-1] == {"uses": "pypa/gh-action-pypi-publish@release/v1"}
    for path in WORKFLOWS.values():
        assert not re.search(r"secrets\.|password|https?://", path.read_text())
    (keep,) = [s for s in read_workflow("release")["jobs"]["build"]["steps"] if "name" in s]
    assert "DIST=dist" in keep["run"].split()


def check_tag(tag: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([root / ".ci" / "check_tag", tag], capture_output=True, text=True)


def test_tag_equals_the_version():
    version = irbounds.__version__
    assert check_tag(f"v{version}").returncode == 0
    for tag in (version, f"v{version}.1", f"v{version}rc1", "v0.0.0", "v$(id)"):
        result = check_tag(tag)
        assert result.returncode == 1
        assert result.stderr.startswith(f"tag {tag}: the version of the package is {version};")


def test_tag_needs_a_dated_heading_in_the_changelog(tmp_path):
    version = irbounds.__version__
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "src" / "irbounds").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "irbounds" / "__init__.py", tmp_path / "src" / "irbounds")
    (tmp_path / "CHANGELOG.md").write_text(f"## {version} - unreleased\n")
    result = check_tag(f"v{version}", tmp_path)
    assert result.returncode == 1
    assert "has no heading" in result.stderr
    (tmp_path / "CHANGELOG.md").write_text(f"## {version} - 2026-01-31\n")
    assert check_tag(f"v{version}", tmp_path).returncode == 0
