export type { LiveEvent } from '@atrium/contract/events/schema.ts';
export type { UiChunk as StreamPart } from '@atrium/contract/runs/ui-chunk.ts';
export { Atrium } from './client.ts';
export { AtriumError, type EtagMismatch, type Fault } from './errors.ts';
export { EventStream } from './event-stream.ts';
export type { AnswerOf, ArgumentsOf, BodyOf, ItemOf, OperationId, QueryOf } from './operation-types.ts';
export type { ClientOptions, Progress, RequestOptions, StreamOptions, StreamState } from './options.ts';
export type { RunPart } from './sources.ts';
export type { ResumableOptions } from './upload-resumable.ts';
