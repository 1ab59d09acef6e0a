import { plainText } from '../../../lib/text/plain-text.ts';

/** How the steps of a run are named where other records refer to them. A call id is unique in its step only. */
export const toolStepId = (step: number, call_id: string) => plainText(`${step}:${call_id}`);

/** The turn of a flow that answers in place of the agent loop. */
export const flowStepId = 'flow';
