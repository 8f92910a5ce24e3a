from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="scale",
    ext_modules=[CUDAExtension("scale", ["scale.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
