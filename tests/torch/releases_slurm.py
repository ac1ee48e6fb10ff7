"""The script of `hwsift plan -o slurm` under a real Slurm: an array of three shards and the merge, on this machine alone.

The daemons are the distribution's, with everything that they write in a folder of this test, and are ended with it.
"""
import getpass
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import corpus
import harness

PYTHON = corpus.python_of("trixie")
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "squeue", "munged")
LIMIT = 110  # seconds for both jobs


def find(name):
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(harness.SKIPPED)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=1
NodeName={host} NodeAddr=127.0.0.1 Port={node} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class SlurmTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.folder = self.scratch / "slurm"
        for name in ("", "state", "spool"):
            (self.folder / name).mkdir(mode=0o755)
        self.daemons = []
        self.addCleanup(self.end_daemons)
        self.start_munge()
        self.start_slurm()

    def start(self, *command, **variables):
        log = open(self.folder / f"{pathlib.Path(command[0]).name}.out", "wb")
        self.addCleanup(log.close)
        self.daemons.append(subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             env={**os.environ, **variables}))

    def end_daemons(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def wait_for(self, what, ready, seconds):
        end = time.monotonic() + seconds
        while not ready():
            self.assertLess(time.monotonic(), end, f"{what}\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        files = sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")) + sorted(self.scratch.glob("results/*.log"))
        return "\n".join(f"--- {file.name}\n{file.read_text(errors='replace')[-3000:]}" for file in files)

    def start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.start(find("munged"), "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                   f"--seed-file={self.folder}/munged.seed", "--num-threads=1")
        self.wait_for("munge does not start", (self.folder / "munge.socket").exists, 20)

    def start_slurm(self):
        host = socket.gethostname().split(".")[0]
        conf = self.folder / "slurm.conf"
        conf.write_text(CONF.format(folder=self.folder, host=host, user=getpass.getuser(), controller=free_port(), node=free_port(),
                                    cpus=os.cpu_count()))
        self.environment = {"SLURM_CONF": str(conf), "HWSIFT": str(harness.HWSIFT), "HWSIFT_PYTHON": str(PYTHON),
                            "HWSIFT_RESULTS": str(self.scratch / "results"), "HWSIFT_RUN_OPTIONS": "--retries 1"}
        for daemon in ("slurmctld", "slurmd"):
            self.start(find(daemon), "-D", "-f", conf, SLURM_CONF=str(conf))
        self.wait_for("the node does not come up", lambda: "idle" in self.slurm("sinfo", "-h", "-o", "%T").out, 40)

    def slurm(self, *command):
        return harness.run(*command, env=self.environment, cwd=self.scratch)

    def test_an_array_of_three_shards_and_the_merge(self):
        tree = self.scratch / "a tree's"
        shutil.copytree(harness.SAMPLE, tree)
        plan, script = self.scratch / "plan.json", self.scratch / "job.sh"
        ran = self.hwsift("-C", tree, "plan", "--device", "cpu", "--shards", "3", "-o", f"json:{plan}", "-o", f"slurm:{script}")
        self.assertEqual(ran.code, 0, ran.err)
        ran = self.slurm("bash", script, "--ntasks=1")
        self.assertEqual(ran.code, 0, ran.err)
        merged = lambda: list(self.scratch.glob("results/*/merged.json"))
        idle = lambda: self.slurm("squeue", "-h").out.strip() == ""
        self.wait_for("the jobs do not end", lambda: merged() and idle() or False, LIMIT)

        document = json.loads(merged()[0].read_text())
        planned = json.loads(plan.read_text())
        self.assertEqual(document["fingerprint"], planned["fingerprint"])
        self.assertEqual(document["missing_shards"], [], self.logs())
        self.assertTrue(document["complete"])
        self.assertEqual(document["selected"], len(planned["tests"]))
        ids = [result["id"] for result in document["results"]]
        self.assertEqual(len(ids), len(set(ids)))
        for test in planned["tests"]:
            self.assertTrue(any(one.startswith(test["id"]) for one in ids), test["id"])
        shards = {path.name for path in merged()[0].parent.iterdir()}
        self.assertEqual(shards, {"merged.json", "shard-1.json", "shard-2.json", "shard-3.json"})


if __name__ == "__main__":
    lacking = [name for name in PROGRAMS if not find(name)]
    if lacking:
        skip(f"no {', '.join(lacking)}; install slurmctld, slurmd, slurm-client and munge")
    if os.getuid() != 0:
        skip("slurmd starts jobs for any user, which needs root")
    harness.main()
