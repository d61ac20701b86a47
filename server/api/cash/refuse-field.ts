import { ProductError } from '#contract/errors.ts'
import { saying } from '#contract/frame/broken.ts'

/** Refuses a field of the body by the sentence of a rule. */
export const refuseField = (
  path: string,
  rule: Parameters<typeof saying>[0],
  values: Readonly<Record<string, unknown>> = {},
): never => {
  const { message } = saying(rule)
  throw new ProductError('ValidationFailed', { errors: [{ path, code: 'custom', message, rule: message, ...values }] })
}
