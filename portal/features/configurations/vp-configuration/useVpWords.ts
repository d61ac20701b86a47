import { useTranslation } from 'react-i18next'
import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { VpNode, VpSchema } from '#domain/configurations/vp-schema.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { weekdays } from '#portal/ui/time/clock.ts'
import { nameOfPath, nodeAt, placeOfPath, placesOf } from './vpTree.ts'

const unitOfStep: Readonly<Record<string, string>> = { grind: 'g', powder: 'g', water: 'ml', milk: 'ml', rinse: 'ml' }

/** Labels of parameters and texts of their values. */
export function useVpWords() {
  const { t } = useTranslation('vp-parameter')
  const format = useFormat()
  const { currency } = useMerchant()
  const days = weekdays(format.locale)
  const languages = new Intl.DisplayNames(format.locale, { type: 'language' })
  const choice = (name: string, value: Json): string => {
    if (name === 'languages' || name === 'firstLanguage') return languages.of(String(value)) ?? String(value)
    if (name === 'cleaningDay' || name === 'days') return days[Number(value) - 1] ?? String(value)
    return t(`choice.${name}.${String(value)}`, { defaultValue: String(value) })
  }
  const unit = (node: VpNode | undefined, kind?: Json) => node?.['x-unit'] ?? unitOfStep[String(kind)]
  const write = (name: string, node: VpNode | undefined, value: Json | undefined, kind?: Json): string => {
    if (value === undefined || value === null || value === '') return '–'
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.map((one) => choice(name, one)).join(', ') || '–'
    if (typeof value === 'object') return t('several')
    if (node?.enum) return choice(name, value)
    if (typeof value !== 'number') return value
    if (node?.['x-kind'] === 'money') return format.money(value, currency as Currency)
    const unitName = unit(node, kind)
    return `${format.number(value, { maximumFractionDigits: 3 })}${unitName ? ` ${unitName}` : ''}`
  }
  const label = (name: string) => t(`parameter.${name}`, { defaultValue: name })
  return {
    label,
    section: (name: string) => t(`section.${name}`, { defaultValue: name }),
    choice,
    unit,
    write,
    /** A path as a reader knows it: the section or entry, and the field, with the number of its step. */
    say: (schema: VpSchema, document: JsonObject, path: string) => {
      const place = placeOfPath(placesOf(schema, document), path)
      const [, , index] = /\.(steps|windows)\.(\d+)/.exec(path) ?? []
      const name = nameOfPath(path)
      return {
        place,
        group: place ? (place.entry ?? t(`section.${place.section}`, { defaultValue: place.section })) : '',
        label: index === undefined ? label(name) : `${label(name)} (${Number(index) + 1})`,
      }
    },
    writeAt: (schema: VpSchema, path: string, value: Json | undefined) =>
      write(nameOfPath(path), nodeAt(schema, path), value),
  }
}
