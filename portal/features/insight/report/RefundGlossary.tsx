import { useTranslation } from 'react-i18next'
import { refundFigures, typeOfRefunds } from '#contract/vocabulary/report.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Report.module.css'

/** What "refunds" may mean: each figure with its meaning and its list. */
export function RefundGlossary() {
  const { t } = useTranslation('report')
  return (
    <details className={classes.glossary}>
      <summary>{t('refunds.glossary')}</summary>
      <dl className={classes.terms}>
        {refundFigures.map((figure) => (
          <div key={figure}>
            <dt>
              {figure === 'given' ? (
                t(`refunds.name.${figure}`)
              ) : (
                <PlaceLink
                  place={{
                    to: '/transactions/data',
                    search: figure === 'ofSales' ? { refunded: 'true' } : { types: [String(typeOfRefunds[figure])] },
                  }}
                >
                  {t(`refunds.name.${figure}`)}
                </PlaceLink>
              )}
            </dt>
            <dd className={classes.meaning}>{t(`refunds.text.${figure}`)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.meaning}>{t('refunds.differ')}</p>
    </details>
  )
}
