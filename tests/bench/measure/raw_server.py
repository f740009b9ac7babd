"""The ceiling: a websocket server that does nothing but pass moves on. Prints its port.

Four connections to the same path are a table. Each message is a move in msgpack: it is read,
packed again, and sent to the four.
"""

import asyncio
import logging
from collections import defaultdict

import msgpack
from websockets.asyncio.server import broadcast, serve

TABLES = defaultdict(set)


async def talk(connection):
    table = TABLES[connection.request.path]
    table.add(connection)
    async for frame in connection:
        move = msgpack.unpackb(frame)
        broadcast(table, msgpack.packb(move))


async def main():
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    async with serve(talk, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
