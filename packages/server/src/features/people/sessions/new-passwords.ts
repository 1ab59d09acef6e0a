import { invalid } from '@atrium/contract/errors.ts';
import type { PasswordStrength } from '../../../drivers/passwords/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashPassword } from './passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** Whose password it is to be. */
export interface PasswordOwner {
  name: string;
  email: string;
}

/** Checks and hashes the passwords that people choose. Those that were chosen before are not looked at again. */
export interface NewPasswords {
  hash(scope: Scope, password: string, owner: PasswordOwner): Promise<string>;
}

/** 10^8 guesses: days of work on one hash, or centuries at the sign-in page. */
const leastScore = 3;
/** Shorter words are found in many passwords by chance. */
const shortestWord = 4;
const productName = 'atrium';

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/** The words of a person's name and address, without the last label of its domain. */
function wordsOf({ name, email }: PasswordOwner): string[] {
  const [local = '', domain = ''] = fold(email).split('@');
  const texts = [fold(name), local, ...domain.split('.').slice(0, -1)];
  return [...new Set([productName, ...texts.flatMap((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u))])].filter(Boolean);
}

/** The value itself is never repeated in an answer. */
const refuse = (advice: string) => invalid(['body', 'password'], advice, null);

export function makeNewPasswords(deps: { strength: PasswordStrength; limits: SignInLimits }): NewPasswords {
  const { strength, limits } = deps;

  async function check(password: string, owner: PasswordOwner): Promise<void> {
    const words = wordsOf(owner);
    const folded = fold(password);
    if (words.some((word) => [...word].length >= shortestWord && folded.includes(word)))
      throw refuse(
        'the password contains your name, your address or the name of the product, which are guessed first; leave them out',
      );
    if ((await strength.score(password.normalize('NFKC'), words)) < leastScore)
      throw refuse('the password is easy to guess; use several words that do not belong together, or a longer one');
  }

  return {
    hash: (scope, password, owner) =>
      limits.inTurn(scope.address ?? '', async () => {
        await check(password, owner);
        return hashPassword(password);
      }),
  };
}
