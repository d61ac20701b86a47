import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Sparkline } from '#portal/ui/chart/Sparkline.tsx'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { Delta } from '../../../ui/value/Change.tsx'
import { Part, Row } from './Part.tsx'

const rising = [2, 3, 3, 5, 4, 6, 8, 7, 9]
const levels = [100, 60, 44, 24, 0, 130, null] as const

/** Numbers at a glance, levels and small lines. */
export function CardsSection() {
  const { t } = useTranslation('kit')
  const format = useFormat()
  const written = (ratio: number) => `${ratio < 0 ? '−' : '+'}${format.percent(Math.abs(ratio))}`
  return (
    <>
      <Part caption="StatCard">
        <StatCards>
          <StatCard
            label={t('card.sold')}
            value={format.number(1234)}
            trend={rising}
            note={<Delta ratio={0.12} written={written(0.12)} />}
          />
          <StatCard
            label={t('card.lost')}
            value={format.number(56)}
            note={<Delta ratio={-0.2} written={written(-0.2)} />}
          />
          <StatCard
            label={t('card.leads')}
            value={format.number(0)}
            place={{ to: '/devices/list' }}
            note={<Delta ratio={0} written={written(0)} />}
          />
        </StatCards>
      </Part>
      <Part caption="Card">
        <Card title={t('card.title')} note={t('card.note')}>
          {t('fact.long')}
        </Card>
      </Part>
      <Part caption="LevelBar">
        <Row>
          {levels.map((percent) => (
            <LevelBar key={percent} percent={percent} label={t('card.full')} />
          ))}
        </Row>
        <Row>
          {levels.map((percent) => (
            <LevelBar key={percent} percent={percent} isFullGood={false} label={t('card.dirt')} />
          ))}
        </Row>
      </Part>
      <Part caption="Sparkline">
        <Row>
          <Sparkline values={rising} />
          <Sparkline values={[4, 4, 4]} color="ink-3" />
          <Sparkline values={[1]} />
          <Sparkline values={[]} />
        </Row>
      </Part>
    </>
  )
}
