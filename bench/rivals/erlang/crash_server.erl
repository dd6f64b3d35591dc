%% The gen_server of the restart comparison: crashes on a cast, answers who it is.
-module(crash_server).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, crasher}, ?MODULE, [], []).

init([]) -> {ok, 0}.

handle_call(who, _From, N) -> {reply, self(), N}.

handle_cast(crash, _N) -> error(as_told).
