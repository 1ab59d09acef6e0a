import { operation } from '../operation.ts';
import { noSuch } from '../operation-errors.ts';
import { formFieldsRoutes } from './routes.ts';
import { fieldsParams, fieldsQuery, form } from './schema.ts';

export const getFields = operation({
  id: 'fields.get',
  route: formFieldsRoutes['fields.get'],
  summary: 'Get what a form of a kind of record needs to know',
  description:
    'Returns every field of a kind of record: label, help, form element, type, bounds, options, default, when it has an effect, what locks it and which permission a change needs. It is the same for every workspace, has an ETag, and any key may read it. With `agent_id` each field also says where the value of that agent comes from, and by whom it is locked.',
  tag: 'Forms',
  permission: 'any',
  params: fieldsParams,
  query: fieldsQuery,
  errors: [noSuch('variant or agent')],
  answer: form,
  catalogue: true,
});

export const formFieldsOperations = [getFields];
