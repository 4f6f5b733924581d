# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command vftr, which reads the files: so both agree on every number, whatever the version of the format."""
import os
import pathlib
import shutil
import subprocess
import tempfile


class VftraceError(Exception):
    """What vftr says of files that it cannot read, or that there is no vftr."""


def _find():
    """The environment's choice, the command of the installation to which this package belongs, or that of PATH."""
    if os.environ.get("VFTR"):
        return os.environ["VFTR"]
    for folder in pathlib.Path(__file__).resolve().parents:
        if folder.name in ("lib", "lib64") and (folder.parent / "bin" / "vftr").exists():
            return str(folder.parent / "bin" / "vftr")
    found = shutil.which("vftr")
    if not found:
        raise VftraceError("there is no command vftr: set the environment variable VFTR to its path, or add its folder to PATH")
    return found


def output(arguments, form, parse):
    """What ``parse`` makes of the stream that ``vftr`` with these arguments writes, which is of this form."""
    command = [_find(), *arguments]
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            raise VftraceError(f"{command[0]}: {error.strerror}") from error
        result, trouble = None, None
        with process:
            try:
                result = parse(process.stdout)
            except ValueError as error:  # of what broke off
                trouble = error
        if process.returncode != 0:
            errors.seek(0)
            message = errors.read().decode(errors="replace").strip() or f"vftr ended with exit code {process.returncode}"
            raise VftraceError(message[6:] if message.startswith("vftr: ") else message)
        if trouble:
            raise VftraceError(f"vftr wrote what is no {form}: {trouble}")
        return result


def export(form, parse, files, *options):
    """What ``parse`` makes of the stream that ``vftr export`` writes in this format."""
    return output(["export", f"--format={form}", "-o", "-", *options, "--", *map(os.fspath, files)], form, parse)
