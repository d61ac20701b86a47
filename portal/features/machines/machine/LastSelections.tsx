import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { audits } from '#contract/audits/audit.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { AuditNowButton } from '#portal/features/audits/audit/AuditNowButton.tsx'
import { useReading } from '#portal/features/audits/audit/useReading.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { bestSelections } from './bestSelections.ts'
import classes from './Overview.module.css'

const mostSelections = 8

/** The best-selling selections of a machine according to its last audit. */
export function LastSelections({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const merchant = useMerchant()
  const params = { merchantId: merchant.id, posId: machine.id }
  const list = useQuery(
    queryOf(audits.listAudits, { params, query: { page: 1, size: 1, ord: 'readAt', ordType: 'DESC' } }),
  )
  const last = list.data?.items[0]
  const answer = useQuery({
    ...queryOf(audits.getAudit, { params: { ...params, auditId: last?.id ?? '' } }),
    enabled: last !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const audit = answer.data
  const place = last && {
    to: '/devices/$posId/audits',
    params: { posId: machine.id },
    search: { audit: last.id },
  }
  return (
    <Card
      title={t('selections.title')}
      note={
        last && (
          <>
            {t('selections.asOf')} <When at={last.readAt} as="minute" timeZone={machine.timeZone} />
          </>
        )
      }
      isFlush={audit !== undefined}
    >
      {list.data && !last ? (
        <>
          <Text c="dimmed">{t('selections.none')}</Text>
          <Text my="part">
            <AuditNowButton posId={machine.id} />
          </Text>
        </>
      ) : audit && place ? (
        <>
          <BestSelections content={audit.content} />
          <Box py={9} px="md" fz="sm" className={classes.foot}>
            <PlaceLink place={place}>{t('selections.all')}</PlaceLink>
          </Box>
        </>
      ) : (
        <Text c="dimmed" style={{ minHeight: 392 }} aria-busy={list.isPending || answer.isFetching}>
          {(list.error || answer.error) && t('selections.failed')}
        </Text>
      )}
    </Card>
  )
}

function BestSelections({ content }: { content: Parameters<typeof bestSelections>[0] & Pick<AuditOf, 'money'> }) {
  const { t } = useTranslation('machine')
  const format = useFormat()
  const { amount } = useReading(content.money)
  const best = bestSelections(content, mostSelections)
  if (best.length === 0)
    return (
      <Text c="dimmed" style={{ padding: '0 16px 12px' }}>
        {t('selections.noneIn')}
      </Text>
    )
  return (
    <Box className="scrolls">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('selections.number')}</th>
            <th scope="col">{t('selections.product')}</th>
            <th scope="col">
              <span className="unseen">{t('selections.share')}</span>
            </th>
            <th scope="col" data-align="end">
              {t('selections.vends')}
            </th>
            <th scope="col" data-align="end">
              {t('selections.price')}
            </th>
          </tr>
        </thead>
        <tbody>
          {best.map(({ selection, name, price, vends, share, isSoldOut }) => (
            <tr key={selection}>
              <td>
                <Box component="code" c="dimmed" ff="monospace" fz="sm">
                  {selection}
                </Box>
              </td>
              <td>
                {name ?? t('selections.unnamed')}{' '}
                {isSoldOut && (
                  <Badge tone="warn" mark="triangle">
                    {t('selections.soldOut')}
                  </Badge>
                )}
              </td>
              <td>
                <Text
                  span
                  display="block"
                  w={84}
                  h={6}
                  bdrs={3}
                  bg="var(--sunken)"
                  className={classes.share}
                  aria-hidden
                >
                  <span style={{ width: `${Math.round(share * 100)}%` }} />
                </Text>
              </td>
              <td data-align="end">{vends === null ? '–' : format.number(vends)}</td>
              <td data-align="end">{amount(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}

type AuditOf = import('#contract/audits/audit-content.ts').AuditContent
