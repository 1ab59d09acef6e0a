import { configFields } from '../src/config.ts';

const [from, to] = ['<!-- settings -->', '<!-- /settings -->'];

/** The README with its table of settings brought up to date. */
export function readmeWithSettings(readme: string): string {
  const rows = configFields.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  );
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return `${readme.slice(0, readme.indexOf(from))}${from}\n${table}\n${readme.slice(readme.indexOf(to))}`;
}

/** A file to copy to `.env`: every setting, none of them set. */
export const envExample = () =>
  configFields.map(({ name, fallback, meaning }) => `# ${meaning}\n# ${name}=${fallback}\n`).join('\n');
