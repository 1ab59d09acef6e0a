import { Atrium } from '@atrium/sdk';
import { waitForSignIn } from './signed-out.ts';

const options = { baseUrl: location.origin };

/** The client for sign-in and the question who is signed in. A refusal is its answer. */
export const client = new Atrium(options);

/** The client for what belongs to the person and not to a workspace. */
export const personClient = new Atrium({ ...options, onUnauthorized: waitForSignIn });

const ofWorkspaces = new Map<string, Atrium>();

/** The client whose requests act in a workspace. */
export function clientOf(workspaceId: string): Atrium {
  const made = ofWorkspaces.get(workspaceId) ?? new Atrium({ ...options, workspaceId, onUnauthorized: waitForSignIn });
  ofWorkspaces.set(workspaceId, made);
  return made;
}
