import { useTranslation } from 'react-i18next'
import * as looks from '#portal/ui/value/looks.ts'
import { type Appearance, Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { Part, Row } from './Part.tsx'

/** Every state of every vocabulary, and a badge with free text in each tone. */
export function BadgesSection() {
  const { t } = useTranslation('kit')
  return (
    <>
      {Object.entries(looks as Record<string, Record<string, Appearance>>).map(([name, table]) => (
        <Part key={name} caption={name}>
          <Row>
            {Object.keys(table).map((value) => (
              <StatusBadge key={value} of={table} value={value} />
            ))}
          </Row>
        </Part>
      ))}
      <Part caption={t('badge.detail')}>
        <Row>
          <StatusBadge of={looks.machineStateLooks} value="blocked" detail="32 min" />
        </Row>
      </Part>
      <Part caption={t('badge.tones')}>
        <Row>
          {(['ok', 'warn', 'crit', 'info', 'gold', 'mute'] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
      </Part>
    </>
  )
}
