import { getFields } from '@atrium/contract/form-fields/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { FormFields } from './service.ts';

export const formFieldRoutes = (fields: FormFields): Route[] => [
  handle(getFields, (scope, { params, query }) => fields.get(scope, params.kind, query)),
];
