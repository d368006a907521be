/** Where a JSON Schema is taken, a Standard Schema validator (zod, valibot, arktype) is too. Shapes only. */

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The part of Standard Schema (https://standardschema.dev, version 1) that is used here. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Standard JSON Schema; where it is missing the vendor's own way is tried. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

export type SchemaInput<Output = unknown> = JsonSchema | StandardSchema<Output>
