import { ToolError } from '../tools/run-tool.ts';

/** A value that can't be had, in words that name the variable and hold nothing of it. */
export class VariableUnavailable extends ToolError {}
