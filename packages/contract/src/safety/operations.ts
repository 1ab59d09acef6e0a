import { operation } from '../operation.ts';
import { safetyRoutes } from './routes.ts';
import { piiAnswer, piiRequest } from './schema.ts';

const tag = 'Safety';

export const findPersonalData = operation({
  id: 'safety.findPersonalData',
  route: safetyRoutes['safety.findPersonalData'],
  summary: 'Find personal data in a text',
  description:
    'Finds personal data in the text and returns where each value stands, together with the text in which placeholders replace the values. Use it to try out which values the setting `pii_anonimization` would hide. Nothing is stored.',
  tag,
  permission: 'safety_check',
  audit: { none: 'it changes nothing' },
  body: piiRequest,
  example: { text: 'Ask Emma Johnson, emma@example.com', entities: ['PERSON', 'EMAIL_ADDRESS'] },
  answer: piiAnswer,
});

export const safetyOperations = [findPersonalData];
