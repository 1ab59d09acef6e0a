import type { Operation } from '@atrium/contract/operation.ts';
import type { ApiOperation } from '@atrium/contract/operations.ts';
import type { routes } from '@atrium/contract/routes.ts';
import type * as z from 'zod';
import type { DownloadId, OperationId, RawId, StreamId, UploadId } from './operation-kinds.ts';
import type { Bytes, RequestOptions } from './options.ts';

export type { OperationId };

type ById = { [O in ApiOperation as O['id']]: O };
type RouteOf<Id extends OperationId> = (typeof routes)[Id];

type QuerySchema<Id extends OperationId> =
  ById[Id] extends Operation<infer _P, infer Q, infer _B, infer _A, string> ? Q : never;
type BodySchema<Id extends OperationId> =
  ById[Id] extends Operation<infer _P, infer _Q, infer B, infer _A, string> ? B : never;
type AnswerSchema<Id extends OperationId> =
  ById[Id] extends Operation<infer _P, infer _Q, infer _B, infer A, string> ? A : never;

/** What a client sends for a schema; a schema that does not say what it reads takes what it returns. */
type Sent<S> = S extends z.ZodType ? (unknown extends z.input<S> ? z.output<S> : z.input<S>) : never;

/** The body that an operation takes. */
export type BodyOf<Id extends OperationId> = Sent<BodySchema<Id>>;
/** The query that an operation takes. */
export type QueryOf<Id extends OperationId> = Sent<QuerySchema<Id>>;

type View = 'full' | 'summary';
/** Items of lists are whole records, or summaries with `view: 'summary'`. */
type ViewOf<S, V extends View> =
  S extends z.ZodUnion<readonly [infer Full extends z.ZodType, infer Summary extends z.ZodType]>
    ? z.output<V extends 'summary' ? Summary : Full>
    : z.output<S>;
type Listed<S, V extends View> =
  S extends z.ZodArray<infer I>
    ? ViewOf<I, V>[]
    : S extends z.ZodObject<infer Shape>
      ? Shape extends { items: z.ZodArray<infer I>; pages: z.ZodType }
        ? Omit<z.output<S>, 'items'> & { items: ViewOf<I, V>[] }
        : z.output<S>
      : z.output<S>;

/** What an operation answers; of lists the answer with whole records unless `view` says otherwise. */
export type AnswerOf<Id extends OperationId, V extends View = 'full'> = Id extends DownloadId
  ? Response
  : Listed<AnswerSchema<Id>, V>;

/** An entry of the list that an operation answers with. */
export type ItemOf<Id extends OperationId, V extends View = 'full'> =
  AnswerOf<Id, V> extends { items: (infer I)[] } ? I : AnswerOf<Id, V> extends (infer I)[] ? I : never;

type PathValues<R extends string> = R extends `${string}{${string}}${infer Rest}`
  ? [id: string | number, ...PathValues<Rest>]
  : [];

type IsRead<Id extends OperationId> = RouteOf<Id> extends `${'GET' | 'DELETE'} ${string}` ? true : false;
type Optional<Q> = Record<never, never> extends Q ? [query?: Q | undefined] : [query: Q];

type ReadInput<Id extends OperationId> =
  QuerySchema<Id> extends z.ZodType ? Optional<QueryOf<Id>> : [query?: undefined];
type WriteInput<Id extends OperationId> = Id extends UploadId
  ? [files: Blob | readonly Blob[] | FormData]
  : Id extends RawId
    ? [bytes?: Bytes]
    : BodySchema<Id> extends z.ZodType
      ? Record<never, never> extends BodyOf<Id>
        ? [body?: BodyOf<Id> | undefined]
        : [body: BodyOf<Id>]
      : [body?: undefined];
type Input<Id extends OperationId> = IsRead<Id> extends true ? ReadInput<Id> : WriteInput<Id>;

/** Operations that read take their query as input; the query of the others is an option. */
type Options<Id extends OperationId> = RequestOptions &
  (IsRead<Id> extends true
    ? unknown
    : QuerySchema<Id> extends z.ZodType
      ? { query?: QueryOf<Id> | undefined }
      : unknown);

type PathOf<Id extends OperationId> = PathValues<RouteOf<Id>>;

/** The arguments of every method: the values of the path in its order, then query or body, then options. */
export type ArgumentsOf<Id extends OperationId> = [...PathOf<Id>, ...Input<Id>, options?: Options<Id>];

type HasView<Id extends OperationId> =
  IsRead<Id> extends true
    ? QuerySchema<Id> extends z.ZodType
      ? 'view' extends keyof QueryOf<Id>
        ? true
        : false
      : false
    : false;

type WithView<Id extends OperationId, V extends View> = [
  ...path: PathOf<Id>,
  ...query: Optional<Omit<QueryOf<Id>, 'view'> & { view?: V | undefined }>,
  options?: Options<Id>,
];

type Method<Id extends OperationId> =
  HasView<Id> extends true
    ? <V extends View = 'full'>(...args: WithView<Id, V>) => Promise<AnswerOf<Id, V>>
    : (...args: ArgumentsOf<Id>) => Promise<AnswerOf<Id>>;

/** All entries of a list, page after page. */
type EachMethod<Id extends OperationId> =
  HasView<Id> extends true
    ? <V extends View = 'full'>(...args: WithView<Id, V>) => AsyncGenerator<ItemOf<Id, V>, void, undefined>
    : (...args: ArgumentsOf<Id>) => AsyncGenerator<ItemOf<Id>, void, undefined>;

type ResourceOf<Id extends string> = Id extends `${infer R}.${string}` ? R : never;
type VerbOf<Id extends string, R extends string> = Id extends `${R}.${infer V}` ? V : never;
type IdOf<R extends string, V extends string> = `${R}.${V}` extends infer Id extends OperationId ? Id : never;
type PagedId<Id extends OperationId> = Id extends `${string}.list${string}`
  ? AnswerOf<Id> extends { items: unknown[] }
    ? Id
    : never
  : never;
type EachVerbOf<R extends string> =
  VerbOf<PagedId<Extract<OperationId, `${R}.list${string}`>>, R> extends infer V
    ? V extends `list${infer Rest}`
      ? `each${Rest}`
      : never
    : never;

export type Resource = ResourceOf<OperationId>;
/** The methods of one resource, from the ids of its operations: `agents.list` is `client.agents.list`. */
export type Methods<R extends Resource> = {
  [V in VerbOf<Exclude<OperationId, StreamId>, R>]: Method<IdOf<R, V>>;
} & {
  [V in EachVerbOf<R>]: V extends `each${infer Rest}` ? EachMethod<IdOf<R, `list${Rest}`>> : never;
};
