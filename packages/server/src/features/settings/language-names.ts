import type { SettingName, Settings } from '@atrium/contract/settings/settings.ts';

const tag = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;
/** A region after the name, as in "English (UK)". */
const region = / \([\p{L}.]{2,20}\)$/u;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** The names of languages with a two-letter code, in English and in the language itself. */
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

/** Whether a text is only the code or the name of a language. */
export function isLanguageName(text: string): boolean {
  if (text === '' || tag.test(text)) return true;
  names ??= collectNames();
  return names.has(text.replace(region, '').toLowerCase());
}

const languagesOf = ({ languages, default_language }: Settings) => [...languages, default_language ?? ''];

/** Languages are part of the system prompt as written, so text that names no language would be an instruction. */
export function addsPromptText(name: SettingName, was: Settings, will: Settings): boolean {
  if (name !== 'languages' && name !== 'default_language') return false;
  const known = languagesOf(was);
  return languagesOf(will).some((text) => !known.includes(text) && !isLanguageName(text));
}
