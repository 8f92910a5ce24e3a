//! What a program asked for and did not get.

/// Something that the program asked for and did not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// A file, by its path.
    File(String),
    /// A device, by its number.
    Device(String),
    /// More devices, perhaps: it asked how many there are.
    Devices,
}

impl Need {
    /// Reads the lines that the program wrote (`device/hirace/executor/host/unmet_needs.h`).
    #[must_use]
    pub fn parse(text: &str) -> Vec<Self> {
        let need = |line: &str| match line.split_once(' ')? {
            ("file", path) => Some(Self::File(path.to_owned())),
            ("device", number) => Some(Self::Device(number.to_owned())),
            ("devices", _) => Some(Self::Devices),
            _ => None,
        };
        text.lines().filter_map(need).collect()
    }
}
