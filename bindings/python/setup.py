"""Builds the wheel: CMake builds the extension module and the program, setuptools packs them.

TENPIN_BUILD names a build folder to use; without it, a new one is made (-DTENPIN_TESTS=OFF)."""
import os
import pathlib
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[2]


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        build = os.environ.get("TENPIN_BUILD")
        if build is None:
            build = os.path.join(os.path.abspath(self.build_temp), "cmake")
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DTENPIN_TESTS=OFF"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "tenpin_python", "tenpin"], check=True)
        made = pathlib.Path(build, "python", "tenpin")
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(next(made.glob("_core*.so")), target)
        if not self.inplace:
            shutil.copy(made / "program", target.parent / "program")


setup(ext_modules=[Extension("tenpin._core", sources=[])], cmdclass={"build_ext": BuildByCMake})
