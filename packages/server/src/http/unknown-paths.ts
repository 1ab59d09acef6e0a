import { methodAndPath } from '@atrium/contract/operation.ts';
import type { FastifyInstance } from 'fastify';
import { required } from '../lib/required.ts';
import type { Route } from '../lib/route.ts';

/** A known path with a wrong method is answered with the right methods; any other path is not found. */
export function answerUnknownPaths(app: FastifyInstance, routes: readonly Route[]): void {
  const patterns = routes.map((route) => {
    const { method, path } = methodAndPath(route);
    return { method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`) };
  });
  app.setNotFoundHandler((request, reply) => {
    const path = required(request.url.split('?', 1)[0]);
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) return reply.code(404).send({ detail: 'No such operation', code: 'not_found' });
    return reply
      .code(405)
      .header('allow', [...new Set(methods)].join(', '))
      .send({ detail: `This path takes ${methods.join(', ')}`, code: 'method_not_allowed' });
  });
}
