import { Hono } from 'hono'
import { endpoint } from '../http/endpoint.ts'
import { OrderId } from '../ids.ts'
import { OrderCreate, OrderResponse } from './schemas.ts'

export const orders = () =>
  new Hono().post(
    '/orders',
    endpoint(
      {
        id: 'createOrder',
        tag: 'orders',
        summary: 'Order a product for a user',
        description:
          'Accepts any identifiers of the right types. Does not check that the user and the product exist.',
        json: OrderCreate,
        success: {
          status: 200,
          description: 'The new order',
          body: OrderResponse,
        },
      },
      async (c) => {
        const { user_id, product_id } = c.req.valid('json')
        const order_id = OrderId.generate()
        return c.json({ order_id, user_id, product_id }, 200)
      },
    ),
  )
