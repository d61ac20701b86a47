import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '#contract/configurations/vp-document.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { mostVpProblems, type VpProblem } from '#domain/configurations/vp-check.ts'
import { sayContradictions } from '#domain/configurations/vp-rules.ts'
import type { VpSchema } from '#domain/configurations/vp-schema.ts'

const ajv = new Ajv2020({ allErrors: true, multipleOfPrecision: 6 })
// Annotations for the form and the machine lists.
ajv.addVocabulary(['x-unit', 'x-kind', 'x-version'])

const validators = new Map<VpSchema, ValidateFunction>()
function validatorOf(schema: VpSchema): ValidateFunction {
  const validator = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validator)
  return validator
}

const ruleOf = ({ keyword, params }: ErrorObject): BrokenRule => {
  switch (keyword) {
    case 'required':
    case 'minLength':
    case 'minItems':
      return broken('required')
    case 'additionalProperties':
      return broken('unknownParameter')
    case 'enum':
      return broken('choice')
    case 'uniqueItems':
      return broken('unique')
    case 'minimum':
      return broken('minimum', { minValue: params.limit })
    case 'maximum':
    case 'maxItems':
      return broken('maximum', { maxValue: params.limit })
    case 'maxLength':
      return broken('maxLength', { maxLength: params.limit })
    case 'multipleOf':
      return broken('multiple', { step: params.multipleOf })
    case 'type':
      return broken(params.type === 'number' || params.type === 'integer' ? 'number' : 'format')
    default:
      return broken('format')
  }
}

/** The dotted path of a fault; of a missing or unknown parameter that parameter's own. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const names = instancePath.split('/').slice(1)
  const propertyName: unknown = params.missingProperty ?? params.additionalProperty
  const all = propertyName === undefined ? names : [...names, String(propertyName)]
  return all.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

/** What of a document breaks its schema, by JSON Schema 2020-12, or contradicts itself; one problem for each path and rule. */
export function vpSchemaProblems(schema: VpSchema, document: JsonObject): VpProblem[] {
  const validate = validatorOf(schema)
  const problems = new Map<string, VpProblem>()
  const say = (path: string, rule: BrokenRule) => {
    const key = `${path} ${rule.key}`
    if (problems.size < mostVpProblems && !problems.has(key)) problems.set(key, { path, rule })
  }
  if (!validate(document)) for (const fault of validate.errors ?? []) say(pathOf(fault), ruleOf(fault))
  sayContradictions(schema, document, say)
  return [...problems.values()]
}
