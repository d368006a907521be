/** Fields of what agents send: one that is wrong counts as absent, so that one odd field loses no message. */
import * as z from 'zod/mini'

const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined)

export const text = lenient(z.string())
export const flag = lenient(z.boolean())
export const count = lenient(z.number().check(z.nonnegative()))
export const record = lenient(z.record(z.string(), z.unknown()))
export const list = lenient(z.array(z.unknown()))
/** An object whose own fields are lenient. */
export const part = <T extends z.ZodMiniType>(schema: T) => lenient(schema)
