/** The part of JSON Schema (2020-12) that zod writes. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  description?: string
}

const named = /^[A-Za-z_$][\w$]*$/
const keyOf = (name: string) => (named.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]) => {
  const unique = [...new Set(types)]
  return unique.length === 1 ? (unique[0] as string) : unique.join(' | ')
}

const inBrackets = (type: string) => (/[ |&]/.test(type) && !type.startsWith('{') ? `(${type})` : type)

/** A JSON schema as a type of TypeScript, on one line. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const either = schema.anyOf ?? schema.oneOf
  if (either) return union(either.map(typeOf))
  if (schema.allOf) return schema.allOf.map((part) => inBrackets(typeOf(part))).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  return typeOfKind(schema)
}

function typeOfKind({ type, items, prefixItems, properties, required = [], additionalProperties }: JsonSchema): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === 'array') {
    if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`
    return `${inBrackets(typeOf(items ?? {}))}[]`
  }
  if (type !== 'object') return 'unknown'
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
    )
    return `{ ${fields.join('; ')} }`
  }
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return `Record<string, ${value}>`
}
