/** Every rule of a form or a file, by the name of its sentence under `rule` in form.json. */
export const ruleNames = [
  'required',
  'allRequired',
  'whole',
  'number',
  'minimumZero',
  'greaterThanZero',
  'minimum',
  'maximum',
  'smallerThan',
  'greaterThan',
  'smallerOrEqual',
  'range',
  'interval',
  'minLength',
  'maxLength',
  'search',
  'email',
  'url',
  'receiver',
  'webSocket',
  'date',
  'instant',
  'phone',
  'postalCode',
  'vatCode',
  'gtin',
  'fileType',
  'repeated',
  'firmwareBuild',
  'firmwareRelease',
  'choice',
  'unique',
  'overlap',
  'decimals',
  'managed',
  'format',
  'pin',
  'passwordLength',
  'passwordUppercase',
  'passwordNumber',
  'passwordSpecial',
  'passwordMatch',
  'cloudMessage',
  'batchRefund',
  'refundMaximum',
  'refundOfSale',
  'lostKey',
  'blogLanguages',
  'demoExpiration',
  'merchantRequired',
  'groupPerMerchant',
  'firmwareMissing',
  'vpForm',
  'unknownParameter',
  'multiple',
  'firstLanguage',
  'cupOverflow',
  'overMaximumCredit',
  'spiralTaken',
  'fileEmpty',
  'fileKind',
  'fileSize',
  'imageBroken',
  'imageSize',
  'imagePixels',
  'richText',
  'richTextSize',
  'notFound',
  'taken',
  'ambiguous',
  'otherRow',
  'openingBooked',
  'mediumLost',
] as const
export type RuleName = (typeof ruleNames)[number]

/** A broken rule: the key of its sentence, and the facts of the sentence. */
export interface BrokenRule {
  key: `rule.${RuleName}`
  values?: Record<string, unknown>
}

export const broken = (name: RuleName, values?: Record<string, unknown>): BrokenRule => ({
  key: `rule.${name}`,
  ...(values && { values }),
})

/**
 * A check across fields runs although another field is broken, so that a form says all of its faults at once; the values it sees
 * may be of any type.
 */
export const always = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** Names the sentence of a schema's refinement: `schema.refine(isPin, saying('pin'))`. */
export const saying = (name: RuleName, values?: Record<string, unknown>) => ({
  message: `rule.${name}`,
  ...(values && { params: values }),
})
