import assert from 'node:assert/strict';
import type { EndReason, Language } from '@atrium/contract/sandboxes/engines.ts';
import type { Rig, Said } from './attack-setup.ts';

/** One thing that code in a sandbox may try. It throws when the sandbox does not hold. */
export interface Attack {
  name: string;
  /** Whether it may be tried without any sandbox, to show that it would work there; only what does no harm. */
  harmless?: true;
  attempt(rig: Rig): Promise<void>;
}

/** Scripts put it together themselves, so that a script that is only printed is not taken for one that worked. */
export const broke = 'BRO' + 'KE';
const sayBroke: Record<Language, string> = {
  bash: "printf 'BRO%s\\n' KE",
  python: "print('BRO' + 'KE', flush=True)",
  javascript: "console.log('BRO' + 'KE')",
};

const begins: Record<Language, string> = {
  bash: 'echo begun',
  python: "print('begun', flush=True)",
  javascript: "console.log('begun')",
};

/** A script in which BREAK says that it got through. */
export function tries(
  name: string,
  language: Language,
  script: (rig: Rig) => string,
  more: { harmless?: true; check?(said: Said, rig: Rig): void } = {},
): Attack {
  return {
    name,
    ...(more.harmless && { harmless: true }),
    async attempt(rig) {
      const code = `${begins[language]}\n${script(rig).replaceAll('BREAK', sayBroke[language])}`;
      const said = await rig.run(await rig.sandbox(), code, language);
      assert.ok(!said.stdout.includes(broke), `it got through: ${said.stdout.slice(-300)}`);
      for (const secret of [rig.file_secret, rig.process_secret])
        if (secret) assert.ok(!`${said.stdout}${said.stderr}`.includes(secret), 'a secret came out');
      if (more.check) return more.check(said, rig);
      // An attack that was never made shows nothing.
      assert.match(said.stdout, /^begun$/m, `it did not run: ${said.reason} ${said.stderr.slice(-300)}`);
    },
  };
}

export const stoppedByLimit =
  (...reasons: EndReason[]) =>
  (said: Said) =>
    assert.ok(reasons.includes(said.reason), `ended by ${said.reason} (${said.exit_code}): ${said.stderr.slice(-300)}`);
