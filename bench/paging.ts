import { demoMerchants } from '#server/demo/merchants.ts'
import { install } from './installation.ts'
import { atMostTimes, compare, type Measurement } from './measure.ts'
import { daysBack, historyDays } from './period.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const calls = 100
const deepPage = 10_000

interface Page {
  items: { id: string }[]
  next: string | null
}

export const paging: Measurement = {
  title: 'Going page by page through a million transactions',
  about: `A client follows each page's link to the next one, 20 rows at a time, down to page 10,000 (the 200,000th row and further), as
    somebody who only ever presses "next". Then that page is timed against the first one, each fetched through HTTP by its own link.`,
  async run({ say }) {
    const installation = await install(say)
    const server = await installation.serve()
    const client = await server.signIn('superAdmin')
    try {
      const { startDate, endDate } = daysBack(historyDays)
      const first = `/merchants/${merchantId}/transactions/paged?startDate=${startDate}&endDate=${endDate}&size=20`
      // Whoever walks there takes large steps; a link tells where the next page begins, whatever the size of the one before.
      let link = ''
      let rows = 0
      while (rows < (deepPage - 1) * 20) {
        const size = Math.min(500, (deepPage - 1) * 20 - rows)
        const page = await client.json<Page>(`${first.replace('size=20', `size=${size}`)}${link}`)
        rows += page.items.length
        if (!page.next) throw new Error(`There are only ${rows} transactions to page through.`)
        link = `&cursor=${encodeURIComponent(page.next)}`
      }
      const deep = `${first}${link}`
      const { items } = await client.json<Page>(deep)
      if (items.length !== 20) throw new Error(`Page ${deepPage} has ${items.length} rows.`)
      const compared = await compare(
        { name: `page ${deepPage}`, once: () => client.get(deep) },
        { name: 'page 1', once: () => client.get(first) },
        calls,
      )
      return [atMostTimes(`page ${deepPage.toLocaleString('en')} of the transactions`, compared, 2, 'page 1')]
    } finally {
      client.close()
      await server.stop()
      await installation.stop()
    }
  },
}
