import type { SettingName, Settings } from '@atrium/contract/settings/settings.ts';

const tag = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;
/** A region after the name, as in "English (UK)". */
const region = / \([\p{L}.]{2,20}\)$/u;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** What the languages with a code of two letters are called, in English and by their speakers. */
function collectNames(): ReadonlySet<string> {
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const names = codes.flatMap((code) => {
    const name = english.of(code);
    if (name === undefined) return [];
    return [name, new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? name];
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

let names: ReadonlySet<string> | undefined;

/** Whether a text is the code or the name of a language and says nothing besides. */
export function isLanguageName(text: string): boolean {
  if (text === '' || tag.test(text)) return true;
  names ??= collectNames();
  return names.has(text.replace(region, '').toLowerCase());
}

const languagesOf = ({ languages, default_language }: Settings) => [...languages, default_language ?? ''];

/** Languages stand in the system prompt as they were written: text that names none is an instruction. */
export function addsPromptText(name: SettingName, was: Settings, will: Settings): boolean {
  if (name !== 'languages' && name !== 'default_language') return false;
  const known = languagesOf(was);
  return languagesOf(will).some((text) => !known.includes(text) && !isLanguageName(text));
}
