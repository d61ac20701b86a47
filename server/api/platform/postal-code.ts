import { ProductError } from '#contract/errors.ts'
import { saying } from '#contract/frame/broken.ts'
import { mostPostalPlaces, type postalCodes } from '#contract/platform/postal-code.ts'
import { areaOf, compactPostalCode, couldBePostalCode } from '#contract/rules/postal-code.ts'
import { findPostalPlaces } from '#database/platform/postal-code.ts'
import type { Handlers } from '#server/http/handler.ts'

export const postalCodeHandlers: Handlers<typeof postalCodes> = {
  completePostalCode: async ({ doors, params: { country, code } }) => {
    if (!couldBePostalCode(country, code)) {
      const { message } = saying('postalCode')
      const fault = { path: 'code', code: 'custom', message, rule: message }
      throw new ProductError('ValidationFailed', { errors: [fault] })
    }
    const compact = compactPostalCode(country, code)
    const search = { country, compact, area: areaOf(country, compact), most: mostPostalPlaces }
    const places = await doors.withSystem('postal codes', (db) => findPostalPlaces(db, search), 'single statement')
    if (places.length === 0) throw new ProductError('PostalCodeNotFound')
    return places
  },
}
