"""Run by `hirace run -- python -m pytest`, as docs/integration.md says."""

import torch

# It needs PyTorch's libraries.
import scale


def test_every_number_is_scaled():
    x = torch.randn(5, 300)
    torch.testing.assert_close(scale.scale(x, 3.0), 3 * x)
