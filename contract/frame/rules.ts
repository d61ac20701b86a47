import { firmwareAmong, sendableUnder } from '../rules/firmware.ts'
import { batchRefundOf, lostKeyOf, refundBelow } from '../rules/media.ts'
import { demoExpires, inAMerchant, inGroupsOfMerchants } from '../rules/merchant.ts'
import {
  comparing,
  DayRange,
  daysBetween,
  GreaterThanZero,
  KpiInterval,
  MinimumZero,
  NumberRange,
  numberBetween,
  wholeBetween,
} from '../rules/number.ts'
import { Phone } from '../rules/phone.ts'
import { postalCodeOf } from '../rules/postal-code.ts'
import { BlogContent, RichText } from '../rules/rich-text.ts'
import {
  CloudMessage,
  Email,
  FirmwareBuild,
  Password,
  PasswordTwice,
  Pin,
  requiredText,
  textBetween,
  WebAddress,
  WebSocketAddress,
} from '../rules/text.ts'
import { TimeZone } from '../rules/time-zone.ts'
import { vatCodeIn } from '../rules/vat-code.ts'
import { fileRules, fileUnder } from './file-rules.ts'
import { Day, InstantInput, Search } from './shapes.ts'

/**
 * Every rule of the product in one place, for reference. Forms and endpoints import a rule from its own file, so that
 * a name field does not load the world's phone number formats.
 */
export const rules = {
  requiredText,
  textBetween,
  Search,
  MinimumZero,
  GreaterThanZero,
  numberBetween,
  wholeBetween,
  comparing,
  NumberRange,
  Day,
  DayRange,
  daysBetween,
  InstantInput,
  KpiInterval,
  Email,
  WebAddress,
  WebSocketAddress,
  TimeZone,
  Phone,
  postalCodeOf,
  vatCodeIn,
  FirmwareBuild,
  Pin,
  Password,
  PasswordTwice,
  CloudMessage,
  batchRefundOf,
  refundBelow,
  lostKeyOf,
  BlogContent,
  RichText,
  demoExpires,
  inAMerchant,
  inGroupsOfMerchants,
  firmwareAmong,
  sendableUnder,
  logo: fileUnder(fileRules.logo),
  ingredients: fileUnder(fileRules.ingredients),
  richTextImage: fileUnder(fileRules.richTextImage),
}
