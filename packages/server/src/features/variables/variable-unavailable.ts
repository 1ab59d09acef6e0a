import { ToolError } from '../tools/service.ts';

/** A variable's value can't be used; the message names the variable and never holds its value. */
export class VariableUnavailable extends ToolError {}
