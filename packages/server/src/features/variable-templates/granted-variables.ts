/** The names of the variables that the entries of `databases` are granted: each its own connection string, by itself. */
export const grantedVariables = ({
  databases,
}: {
  databases: readonly { dsn_variable: string; enabled?: unknown }[];
}): string[] => [
  ...new Set(databases.flatMap(({ dsn_variable, enabled }) => (enabled === false ? [] : [dsn_variable]))),
];
