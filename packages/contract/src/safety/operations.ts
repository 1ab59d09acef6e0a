import { operation } from '../operation.ts';
import { safetyRoutes } from './routes.ts';
import { piiAnswer, piiRequest } from './schema.ts';

const tag = 'Safety';

export const findPersonalData = operation({
  id: 'safety.findPersonalData',
  route: safetyRoutes['safety.findPersonalData'],
  summary: 'Find personal data in a text, and show what the text is without it',
  tag,
  permission: 'safety_check',
  body: piiRequest,
  example: { text: 'Ask Emma Johnson, emma@example.com', entities: ['PERSON', 'EMAIL_ADDRESS'] },
  answer: piiAnswer,
});

export const safetyOperations = [findPersonalData];
