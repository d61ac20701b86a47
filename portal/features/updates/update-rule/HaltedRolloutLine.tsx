import { useTranslation } from 'react-i18next'
import type { HaltedRollout } from '#contract/updates/halted-rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { rolloutLooks } from './rolloutLooks.ts'
import { ruleAddresses } from './ruleAddresses.ts'

/** The class names of a line, its badge, its text and its time. */
interface LineClasses {
  line?: string | undefined
  badge?: string | undefined
  what?: string | undefined
  lead?: string | undefined
  whose?: string | undefined
  since?: string | undefined
}

/** A halted rollout: why it halted and since when, with a link to it. Needs the words of `update-rule` and `vocabulary`. */
export function HaltedRolloutLine({ rollout, looks }: { rollout: HaltedRollout; looks: LineClasses }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { isAll } = useMerchant()
  const { id, kind, name, direction, halt, haltedAt, merchantName, timeZone } = rollout
  const { page, param } = ruleAddresses[kind]
  const place: Place = { to: page, params: { [param]: id } }
  const why = t(`halted.${halt.cause}`, {
    number: format.number(halt.count ?? 0),
    size: format.number(halt.size ?? 0),
    allowed: format.number(halt.allowed ?? 0),
  })
  return (
    <li className={looks.line}>
      <span className={looks.badge}>
        <StatusBadge of={rolloutLooks} value="halted" />
      </span>
      <span className={looks.what}>
        <PlaceLink place={place} className={`${looks.lead} covers`}>
          {t(`haltedTitle.${direction}`, { name })}
        </PlaceLink>
        <span className={looks.whose}>{[why, isAll && merchantName].filter(Boolean).join(' · ')}</span>
      </span>
      <span className={looks.since}>
        <When at={haltedAt} timeZone={timeZone} />
      </span>
    </li>
  )
}
