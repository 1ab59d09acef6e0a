import { done } from '@atrium/contract/page.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrolSecondFactor,
  getSecondFactor,
  getSignInPolicy,
  removeSecondFactor,
  renewRecoveryCodes,
  updateSignInPolicy,
} from '@atrium/contract/second-factors/operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { SecondFactors } from './second-factors.ts';

/** An answer with secrets that are shown once is stored nowhere. */
const answerOnce = (body: unknown) =>
  new RawAnswer(JSON.stringify(body), {
    ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });

export const secondFactorRoutes = (factors: SecondFactors): Route[] => [
  handle(getSecondFactor, (scope) => factors.get(scope)),
  handle(enrolSecondFactor, async (scope, { body }) => answerOnce(await factors.enrol(scope, body.password))),
  handle(confirmSecondFactor, async (scope, { body }) =>
    answerOnce({ recovery_codes: await factors.confirm(scope, body.code) }),
  ),
  handle(renewRecoveryCodes, async (scope, { body }) =>
    answerOnce({ recovery_codes: await factors.renewRecoveryCodes(scope, body.code) }),
  ),
  handle(disableSecondFactor, async (scope, { body }) => {
    await factors.disable(scope, body);
    return done;
  }),
  handle(removeSecondFactor, async (scope, { params }) => {
    await factors.remove(scope, params.person_id);
    return done;
  }),
  handle(getSignInPolicy, (scope) => factors.policy(scope)),
  handle(updateSignInPolicy, (scope, { body }) => factors.updatePolicy(scope, body)),
];
