//! Enums whose values are words on the wire.

/// Defines an enum of unit variants, each with its word: the word in the journal, on the bus, on
/// the command line and in the configuration is the same.
///
/// The enum gets `ALL`, `name` and `from_name`, and serde reads and writes the words.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident {
            $($(#[$variant_meta:meta])* $Variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $Enum {
            $($(#[$variant_meta])* #[serde(rename = $name)] $Variant,)*
        }

        impl $Enum {
            /// Every value.
            pub const ALL: [$Enum; [$($name),*].len()] = [$($Enum::$Variant,)*];

            /// The word on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)*
                }
            }

            /// The value of that word.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$Enum> {
                $Enum::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}

pub(crate) use named_enum;
