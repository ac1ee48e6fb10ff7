"""The sample suite under the PyTorch of Debian forky."""
import corpus
import harness
from sample_release import SampleRelease


class Sample(SampleRelease, harness.HwsiftTest):
    python = corpus.python_of("forky")


if __name__ == "__main__":
    harness.main()
