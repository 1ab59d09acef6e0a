import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};
const words = scripts.start.split(' ');
const program = words.findIndex((word) => word.endsWith('start.mjs'));

/** What `npm start` gives Node: its flags, and variables of the environment. */
export const startFlags = words.slice(0, program).filter((word) => word.startsWith('--'));
export const startEnvironment = Object.fromEntries(
  words.slice(0, program).flatMap((word) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? [];
    return name && value ? [[name, value]] : [];
  }),
);
