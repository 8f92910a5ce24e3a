//! A Slurm cluster of this machine alone, with its own secret, ports and state.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The time limit for any operation of Slurm; most take a second.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The programs of Debian's `slurmctld slurmd slurm-client munge`, and their possible folders.
const PROGRAMS: [&str; 8] = [
    "munged",
    "mungekey",
    "slurmctld",
    "slurmd",
    "sbatch",
    "squeue",
    "scancel",
    "sinfo",
];
const FOLDERS: [&str; 3] = ["/usr/bin", "/usr/sbin", "/usr/local/sbin"];

/// A running cluster; its daemons end with it.
pub struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    /// Starts one.
    ///
    /// # Errors
    /// It cannot run here; the reason is one line.
    pub fn start() -> Result<Self, String> {
        let missing: Vec<&str> = PROGRAMS
            .into_iter()
            .filter(|program| find(program).is_none())
            .collect();
        if !missing.is_empty() {
            return Err(format!("no {}", missing.join(", ")));
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut cluster = Self {
            folder,
            daemons: Vec::new(),
        };
        if cluster.output("id", &["-u"]) != "0" {
            return Err("Slurm's daemons need root".into());
        }
        cluster.configure()?;
        cluster.launch()?;
        Ok(cluster)
    }

    /// A folder that all its machines see.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A command that uses this cluster.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let program = program.as_ref();
        let found = program.to_str().and_then(find);
        let mut command = Command::new(found.unwrap_or_else(|| program.into()));
        command.env("SLURM_CONF", self.file("slurm.conf"));
        command
    }

    /// The output of a command that uses this cluster; empty if it fails.
    pub fn output(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output();
        let text = output
            .map(|Output { stdout, .. }| stdout)
            .unwrap_or_default();
        String::from_utf8_lossy(&text).trim().to_owned()
    }

    /// Waits until `done`.
    ///
    /// # Errors
    /// It takes too long; the message has the end of the daemons' logs.
    pub fn wait(&self, what: &str, mut done: impl FnMut() -> bool) -> Result<(), String> {
        let start = Instant::now();
        while !done() {
            if start.elapsed() > TIMEOUT {
                return Err(format!("{what} takes too long\n{}", self.logs()));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configure(&self) -> Result<(), String> {
        let folder = self.folder.path().display();
        let host = self.output("uname", &["-n"]);
        let node = host.split('.').next().unwrap_or_default();
        let ports = free_ports().map_err(|error| format!("no free ports: {error}"))?;
        let text = format!(
            "ClusterName=test\n\
             SlurmctldHost={node}(127.0.0.1)\n\
             SlurmctldPort={}\nSlurmdPort={}\n\
             SlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={folder}/munge.socket\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             SwitchType=switch/none\nReturnToService=2\nKillWait=2\n\
             AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             NodeName={node} NodeAddr=127.0.0.1 CPUs={}\n\
             PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP\n",
            ports[0],
            ports[1],
            std::thread::available_parallelism().map_or(1, usize::from),
        );
        fs::write(self.file("slurm.conf"), text)
            .and_then(|()| fs::create_dir(self.file("state")))
            .and_then(|()| fs::create_dir(self.file("spool")))
            .map_err(|error| error.to_string())
    }

    fn launch(&mut self) -> Result<(), String> {
        let path = |name| self.file(name).display().to_string();
        let [key, socket, seed, log, pid] = [
            "munge.key",
            "munge.socket",
            "munge.seed",
            "munged.txt",
            "munged.pid",
        ]
        .map(path);
        let made = self
            .command("mungekey")
            .args(["--create", "--keyfile", &key])
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return Err("munge created no key".into());
        }
        self.daemon(
            "munged",
            &[
                "--foreground".into(),
                "--force".into(),
                format!("--key-file={key}"),
                format!("--socket={socket}"),
                format!("--seed-file={seed}"),
                format!("--log-file={log}"),
                format!("--pid-file={pid}"),
            ],
        )?;
        self.wait("munge", || self.file("munge.socket").exists())?;
        self.daemon("slurmctld", &["-D".into()])?;
        self.daemon("slurmd", &["-D".into()])?;
        self.wait("Slurm", || {
            self.output("sinfo", &["--noheader", "--format=%T"]) == "idle"
        })
    }

    fn daemon(&mut self, name: &str, arguments: &[String]) -> Result<(), String> {
        let log = fs::File::create(self.file(&format!("{name}.log")));
        let log = log.map_err(|error| error.to_string())?;
        let child = self
            .command(name)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("{name}: {error}"))?;
        self.daemons.push(child);
        Ok(())
    }

    /// The last lines of the daemons' logs.
    fn logs(&self) -> String {
        ["munged", "slurmctld", "slurmd"]
            .map(|name| {
                let text = fs::read_to_string(self.file(&format!("{name}.log")));
                let text = text.unwrap_or_default();
                let lines: Vec<&str> = text.lines().rev().take(6).collect();
                format!("{name}: {}\n", lines.join("\n  "))
            })
            .concat()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Jobs end first; slurmd knows their processes.
        self.output(
            "scancel",
            &["--quiet", "--user=root", "--signal=KILL", "--full"],
        );
        self.output("scancel", &["--quiet", "--user=root"]);
        let empty = || self.output("squeue", &["--noheader"]).is_empty();
        if let Err(error) = self.wait("ending all jobs", empty) {
            eprintln!("{error}");
        }
        for daemon in self.daemons.iter_mut().rev() {
            drop(daemon.kill());
            drop(daemon.wait());
        }
    }
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.map(PathBuf::from));
    let mut places = folders.map(|folder| folder.join(program));
    places.find(|place| place.is_file())
}

/// Two ports that nobody listens on.
fn free_ports() -> std::io::Result<[u16; 2]> {
    let first = TcpListener::bind(("127.0.0.1", 0))?;
    let second = TcpListener::bind(("127.0.0.1", 0))?;
    Ok([first.local_addr()?.port(), second.local_addr()?.port()])
}
