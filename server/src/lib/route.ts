import type { z } from 'zod';
import type { Permission } from './permissions.ts';
import type { Scope } from './scope.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `any`: every valid key may; the handler answers only about the caller itself. */
export type RoutePermission = Permission | 'any';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteInput<P, Q, B> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** The value of If-Match, without quotes. */
  if_match: string | undefined;
}

/** One operation as data: validation, permission, the OpenAPI document and the walk over all routes come from it. */
export interface Route {
  route: `${Method} /${string}`;
  summary: string;
  tag: string;
  permission: RoutePermission;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer: z.ZodType;
  /** A body that is accepted as it stands; shown in the reference and used by the walks over all routes. */
  example?: Record<string, unknown>;
  /** Largest body in bytes, where it differs from the general limit. */
  body_limit?: number;
  handler(scope: Scope, input: RouteInput<z.ZodType, z.ZodType, z.ZodType>): Promise<unknown> | unknown;
}

/** Checks the handler against the schemas, then forgets the types, so that all routes fit in one list. */
export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType = z.ZodType,
>(
  route: Omit<Route, 'params' | 'query' | 'body' | 'answer' | 'handler'> & {
    params?: P;
    query?: Q;
    body?: B;
    answer: A;
    handler(scope: Scope, input: RouteInput<P, Q, B>): Promise<z.input<A>> | z.input<A>;
  },
): Route {
  return route as unknown as Route;
}

/** `PATCH /v1/x/{id}` in its two parts. */
export function methodAndPath(route: Route): { method: Method; path: string } {
  const [method, path] = route.route.split(' ') as [Method, string];
  return { method, path };
}
