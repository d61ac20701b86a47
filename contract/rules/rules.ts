import { fileRules, fileUnder } from '../frame/file-rules.ts'
import { Day, InstantInput, Search } from '../frame/shapes.ts'
import { firmwareAmong, sendableUnder } from './firmware.ts'
import { batchRefundOf, lostKeyOf, refundBelow } from './media.ts'
import { demoExpires, inAMerchant, inGroupsOfMerchants } from './merchant.ts'
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
} from './number.ts'
import { Phone } from './phone.ts'
import { postalCodeOf } from './postal-code.ts'
import { BlogContent, RichText } from './rich-text.ts'
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
} from './text.ts'
import { TimeZone } from './time-zone.ts'
import { vatCodeIn } from './vat-code.ts'

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
